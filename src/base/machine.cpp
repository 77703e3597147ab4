// SPDX-License-Identifier: MIT
#include "base/machine.hpp"

#include <elf.h>
#include <link.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

namespace ritz {

std::size_t peak_memory_bytes() {
  // Of this program alone: what getrusage says begins with the peak of whoever started it.
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::size_t(std::stoull(line.substr(6))) * 1024;
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

std::string build_id() {
  struct Search {
    std::uintptr_t code;
    std::string found;
  } search{reinterpret_cast<std::uintptr_t>(&peak_memory_bytes), ""};
  // The note of the module that has this code among its segments.
  const auto look = [](dl_phdr_info* module, std::size_t, void* data) {
    auto& [code, found] = *static_cast<Search*>(data);
    bool here = false;
    for (int k = 0; k < module->dlpi_phnum; ++k) {
      const auto& part = module->dlpi_phdr[k];
      const std::uintptr_t begin = module->dlpi_addr + part.p_vaddr;
      here |= part.p_type == PT_LOAD && begin <= code && code < begin + part.p_memsz;
    }
    for (int k = 0; here && k < module->dlpi_phnum; ++k) {
      const auto& part = module->dlpi_phdr[k];
      if (part.p_type != PT_NOTE) continue;
      const auto* at = reinterpret_cast<const unsigned char*>(module->dlpi_addr + part.p_vaddr);
      const auto* const end = at + part.p_memsz;
      while (at + sizeof(ElfW(Nhdr)) <= end) {
        ElfW(Nhdr) note;
        std::memcpy(&note, at, sizeof note);
        const auto* const name = at + sizeof note;
        const auto* const bytes = name + (note.n_namesz + 3) / 4 * 4;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
          for (unsigned i = 0; i < note.n_descsz; ++i) {
            constexpr char kDigits[] = "0123456789abcdef";
            found += kDigits[bytes[i] / 16];
            found += kDigits[bytes[i] % 16];
          }
        at = bytes + (note.n_descsz + 3) / 4 * 4;
      }
    }
    return here ? 1 : 0;
  };
  dl_iterate_phdr(look, &search);
  return search.found;
}

}  // namespace ritz
