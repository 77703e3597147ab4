// SPDX-License-Identifier: MIT
// Samples that are too many for memory: bare arrays stay in their file, text is read a part after the other into a
// scratch file of numbers, sparse samples into one of entries.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/formats/format.hpp"
#include "ritz/base/context.hpp"
#include "ritz/data/io.hpp"

namespace ritz::detail {

// The part of the budget that samples may take in memory; beyond it they stay in their file, if they may. A fit holds
// them twice, as read and scaled, and wants room to work in.
inline constexpr double kHeldShare = 0.3;

// As read_dataset would read them, with the same labels, names, notes and errors. Nothing where the format has no rows
// that can be read by themselves. Throws unsupported for options that need all samples at once.
std::optional<Dataset> read_stored(const std::string& path, const ReadOptions& options, const RunContext& context);

// --- its parts

// Labels that come one after the other; their texts are kept once.
class LabelParts {
 public:
  void add(const std::string& text);  // one more sample's
  Labels finish();                    // as make_labels of all of them

 private:
  Labels found_;
  std::unordered_map<std::string, int> places_;
};

// The rows of a bare array; nothing where they cannot be told apart without reading all.
std::optional<StoredRows> stored_array(ByteSource source, const FormatRow& format, const RunContext& context);
// What dataset_of makes of an array.
Dataset table_of(const StoredRows& all, const std::string& source, const ReadOptions& options,
                 const RunContext& context);
// Text whose lines are samples.
Dataset stored_lines(ByteSource source, const FormatRow& format, const ReadOptions& options, const RunContext& context);
// Sparse samples; nothing where so many columns would not leave room for a block of dense rows.
std::optional<Dataset> stored_entries(ByteSource source, const FormatRow& format, const ReadOptions& options,
                                      const RunContext& context);

}  // namespace ritz::detail
