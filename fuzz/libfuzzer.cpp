// SPDX-License-Identifier: MIT
// libFuzzer's side: ritz_fuzz --target=NAME [libFuzzer's options] CORPUS…; --list prints the targets.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "targets.hpp"

namespace {

const ritz::fuzz::Target* chosen = nullptr;

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
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({data, size});
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
