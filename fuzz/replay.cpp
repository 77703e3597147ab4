// SPDX-License-Identifier: MIT
// The same targets without libFuzzer: every file of the corpus, and for some time changes of them drawn at random, the
// same in every run of the same length. ritz_replay CORPUS SECONDS_A_TARGET
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "targets.hpp"

namespace {

using Input = std::vector<std::uint8_t>;

void change(Input& input, std::mt19937& random) {
  const auto draw = [&](std::size_t below) { return std::size_t(random() % std::max<std::size_t>(below, 1)); };
  for (std::size_t k = 0; k <= draw(4); ++k) switch (draw(5)) {
      case 0:
        if (!input.empty()) input[draw(input.size())] ^= std::uint8_t(1u << draw(8));
        break;
      case 1:
        if (!input.empty()) input[draw(input.size())] = std::uint8_t(random());
        break;
      case 2:
        if (!input.empty()) input.erase(input.begin() + std::ptrdiff_t(draw(input.size())), input.end());
        break;
      case 3:
        input.insert(input.begin() + std::ptrdiff_t(draw(input.size() + 1)), "0,;\n\t:-e\"#.19"[draw(13)]);
        break;
      default: {
        const std::size_t from = draw(input.size()), to = draw(input.size() + 1);
        const Input part(input.begin() + std::ptrdiff_t(from),
                         input.begin() + std::ptrdiff_t(std::min(input.size(), from + draw(64))));
        input.insert(input.begin() + std::ptrdiff_t(to), part.begin(), part.end());
      }
    }
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return std::fputs("usage: ritz_replay CORPUS SECONDS_A_TARGET\n", stderr), 2;
  using Clock = std::chrono::steady_clock;
  for (const ritz::fuzz::Target& target : ritz::fuzz::targets()) {
    std::vector<Input> seeds;
    const std::filesystem::path folder = std::filesystem::path(words[1]) / target.name;
    std::vector<std::filesystem::path> files;
    if (std::filesystem::is_directory(folder))
      for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      std::ifstream in(file, std::ios::binary);
      seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    if (seeds.empty()) seeds.emplace_back();
    for (const Input& seed : seeds) target.run(seed);
    std::mt19937 random(1);
    const auto end = Clock::now() + std::chrono::duration<double>(std::atof(words[2]));
    long runs = 0;
    for (; Clock::now() < end; ++runs) {
      Input input = seeds[random() % seeds.size()];
      if (target.model && random() % 4 != 0)
        ritz::fuzz::mutate_model(input, [&] { return std::uint32_t(random()); });
      else
        change(input, random);
      target.run(input);
    }
    std::printf("%-20s %3zu seeds, %ld inputs\n", target.name.c_str(), seeds.size(), runs);
  }
  return 0;
}
