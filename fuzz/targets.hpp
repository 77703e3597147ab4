// SPDX-License-Identifier: MIT
// What is fuzzed: a name and a function of bytes each. Formats and tasks come from their tables. Errors that the
// library promises are swallowed; anything else is a finding.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace ritz::fuzz {

using Bytes = std::span<const std::uint8_t>;

struct Target {
  std::string name;  // "csv", "pairs", "model-reduce"
  std::function<void(Bytes)> run;
  bool model = false;  // the input is a model file: its checksum is put right, and mutations keep its structure
};

const std::vector<Target>& targets();

// A model file with a right checksum, or as it was where it is too short for one.
void mend_checksum(std::vector<std::uint8_t>& model);
// One change of a model: a word of its JSON, a shape, an array's entries. `draw` gives random numbers.
void mutate_model(std::vector<std::uint8_t>& model, const std::function<std::uint32_t()>& draw);

}  // namespace ritz::fuzz
