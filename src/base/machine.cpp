// SPDX-License-Identifier: MIT
#include "base/machine.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace ritz {

std::size_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::size_t(usage.ru_maxrss) * 1024;
}

std::size_t available_memory_bytes() {
  std::ifstream info("/proc/meminfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("MemAvailable:")) return std::size_t(std::stoull(line.substr(13))) * 1024;
  return 0;
}

double address_space_bytes() {
  std::ifstream sizes("/proc/self/statm");
  double pages = 0;
  sizes >> pages;
  return pages * double(sysconf(_SC_PAGESIZE));
}

}  // namespace ritz
