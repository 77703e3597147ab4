// SPDX-License-Identifier: MIT
// Lines of entries, LIBSVM, read once into scratch files: the entries of all rows, one after the other, and where each
// row's begin. A block of rows becomes dense when it is asked for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "base/fail.hpp"
#include "data/formats/table.hpp"
#include "data/formats/triplets.hpp"
#include "data/stored/scratch_file.hpp"
#include "data/stored/stored_dataset.hpp"

namespace ritz::detail {

namespace {

struct StoredEntry {
  double value;
  std::int32_t column;
};
constexpr std::size_t kEntryBytes = sizeof(double) + sizeof(std::int32_t);
constexpr double kRowsAtATime = 2048;                   // that are dense at a time, in for_each_block
constexpr std::size_t kFlushed = std::size_t(1) << 20;  // bytes that are written at a time

// Values that go to a file in larger pieces.
class Appender {
 public:
  template <class T>
  void add(const T& value) {
    const char* bytes = reinterpret_cast<const char*>(&value);
    ahead_.insert(ahead_.end(), bytes, bytes + sizeof value);
    if (ahead_.size() >= kFlushed) flush();
  }
  std::shared_ptr<const ScratchFile> finish() {
    flush();
    return std::move(file_);
  }

 private:
  std::shared_ptr<ScratchFile> file_ = std::make_shared<ScratchFile>();
  std::vector<char> ahead_;

  void flush() {
    file_->append(ahead_.data(), ahead_.size());
    ahead_.clear();
  }
};

class EntryStore final : public RowStore {
 public:
  EntryStore(std::shared_ptr<const ScratchFile> entries, std::shared_ptr<const ScratchFile> starts, Index cols)
      : entries_(std::move(entries)), starts_(std::move(starts)), cols_(cols) {}

  void read(Range rows, double* out) const override {
    std::fill_n(out, rows.size() * cols_, 0.0);
    std::vector<std::uint64_t> starts(std::size_t(rows.size()) + 1);
    starts_->read_at(std::uint64_t(rows.begin) * sizeof starts[0], starts.data(), starts.size() * sizeof starts[0]);
    std::vector<char> bytes(std::size_t(starts.back() - starts.front()) * kEntryBytes);
    entries_->read_at(starts.front() * kEntryBytes, bytes.data(), bytes.size());
    const char* from = bytes.data();
    for (Index i = 0; i < rows.size(); ++i, out += cols_)
      for (std::uint64_t k = at(starts, i); k < at(starts, i + 1); ++k, from += kEntryBytes) {
        StoredEntry entry;
        std::memcpy(&entry.value, from, sizeof entry.value);
        std::memcpy(&entry.column, from + sizeof entry.value, sizeof entry.column);
        out[entry.column] = entry.value;
      }
  }

 private:
  std::shared_ptr<const ScratchFile> entries_, starts_;
  Index cols_;
};

class EntryReader final : public EntrySink {
 public:
  void row(std::string_view label) override {
    starts_.add(count_);
    labels_.add(std::string(label));
    ++rows_;
  }
  void entry(Index column, double value) override {
    entries_.add(value);
    entries_.add(std::int32_t(column));
    ++count_;
    cols_ = std::max(cols_, column + 1);
  }

  Index cols() const { return cols_; }
  StoredRows rows(const std::string& name) {
    require_plausible(rows_, cols_, Index(count_), name);
    starts_.add(count_);
    return {std::make_shared<EntryStore>(entries_.finish(), starts_.finish(), cols_), rows_, cols_};
  }
  LabelParts labels_;

 private:
  Appender entries_, starts_;
  std::uint64_t count_ = 0;
  Index rows_ = 0, cols_ = 0;
};

}  // namespace

std::optional<Dataset> stored_entries(ByteSource source, const FormatRow& format, const ReadOptions& options,
                                      const RunContext& context) {
  if (!options.label_column.empty())
    fail(ErrorCode::bad_option, "{} carries its labels; a label column does not apply", source.name());
  if (!options.id_column.empty()) fail(ErrorCode::unsupported, "{} is sparse: it has no column of ids", source.name());
  EntryReader read;
  format.entries(source, read, context);
  if (8 * kRowsAtATime * double(read.cols()) > kHeldShare * double(context.max_memory)) return std::nullopt;
  Dataset out = table_of(read.rows(source.name()), source.name(), options, context);
  Labels labels = read.labels_.finish();
  std::vector<bool> dropped(labels.of.size(), false);
  for (const DroppedRow& row : out.dropped) dropped[std::size_t(row.row - 1)] = true;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < labels.of.size(); ++i)
    if (!dropped[i]) labels.of[kept++] = labels.of[i];
  labels.of.resize(kept);
  if (!out.dropped.empty()) {  // numbered among those that are left, as rows in memory are
    std::vector<std::string> texts;
    for (const int label : labels.of) texts.push_back(at(labels.names, label));
    labels = make_labels(texts);
  }
  out.labels = std::move(labels);
  return out;
}

}  // namespace ritz::detail
