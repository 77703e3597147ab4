// SPDX-License-Identifier: MIT
// libFuzzer's side: ritz_fuzz --target=NAME [libFuzzer's options] CORPUS…; --list prints the targets. An input that
// takes more than a second of a processor, or more memory than is promised, is a finding like a crash.
#include <sanitizer/allocator_interface.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "targets.hpp"

namespace {

const ritz::fuzz::Target* chosen = nullptr;

constexpr double kSeconds = 1;
constexpr std::size_t kBytes = std::size_t(64) << 20, kTimesTheInput = 100;

std::atomic<std::size_t> held{0};  // bytes that were asked for and not given back
std::atomic<std::size_t> allowed{SIZE_MAX};

void taken(const volatile void*, std::size_t bytes) {
  if (held.fetch_add(bytes) + bytes <= allowed) return;
  allowed = SIZE_MAX;  // what follows allocates, too
  std::fputs("ritz_fuzz: more memory than 64 MiB and 100 times the input\n", stderr);
  std::abort();
}

void given_back(const volatile void* at) {
  if (at) held -= __sanitizer_get_allocated_size(at);
}

double seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  int kept = 1;
  for (int i = 1; i < *count; ++i) {
    const std::string word = (*words)[i];
    if (word == "--list") {
      for (const ritz::fuzz::Target& each : ritz::fuzz::targets()) std::puts(each.name.c_str());
      std::exit(0);
    }
    if (word.rfind("--target=", 0) == 0) {
      for (const ritz::fuzz::Target& each : ritz::fuzz::targets())
        if (each.name == word.substr(9)) chosen = &each;
    } else {
      (*words)[kept++] = (*words)[i];
    }
  }
  *count = kept;
  if (!chosen) std::fputs("ritz_fuzz: --target=NAME is needed, one of --list\n", stderr), std::exit(2);
  __sanitizer_install_malloc_and_free_hooks(taken, given_back);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const double start = seconds();
  allowed = held + kBytes + kTimesTheInput * size;
  chosen->run({data, size});
  allowed = SIZE_MAX;
  if (const double took = seconds() - start; took > kSeconds) {
    std::fprintf(stderr, "ritz_fuzz: %.2f s for one input\n", took);
    std::abort();
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (!chosen->model || seed % 4 == 0) return LLVMFuzzerMutate(data, size, most);
  std::vector<std::uint8_t> model(data, data + size);
  std::uint32_t state = seed | 1u;
  const auto draw = [&] {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return state;
  };
  for (unsigned k = 0; k <= seed / 4 % 3; ++k) ritz::fuzz::mutate_model(model, draw);
  if (model.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, model.data(), model.size());
  return model.size();
}
