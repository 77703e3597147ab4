// SPDX-License-Identifier: MIT
// Bare arrays whose rows stay in the file: NPY, IDX.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/at.hpp"
#include "base/fail.hpp"
#include "data/formats/format.hpp"
#include "data/formats/table.hpp"
#include "data/stored/scratch_file.hpp"
#include "data/stored/stored_dataset.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

constexpr std::size_t kCopied = std::size_t(1) << 22;  // bytes at a time
constexpr Index kTurned = Index(1) << 23;  // numbers of a band of rows of an array that is stored by columns

// Elements where they are: a plain file that is open.
class ArrayStore final : public RowStore {
 public:
  ArrayStore(ByteSource source, const ElementType& element, Index cols)
      : source_(std::move(source)), offset_(source_.position()), element_(element), cols_(cols) {}

  void read(Range rows, double* out) const override {
    const std::size_t row = std::size_t(cols_) * std::size_t(element_.bytes);
    std::vector<char> bytes(row * std::size_t(rows.size()));
    read_at(std::uint64_t(rows.begin) * row, bytes);
    decode(element_, bytes.data(), std::size_t(rows.size() * cols_), out);
  }
  // Of an array stored by columns: `count` elements of one, from row `first` on.
  void read_column(Index rows, Index column, Index first, std::vector<double>& out) const {
    std::vector<char> bytes(out.size() * std::size_t(element_.bytes));
    read_at(std::uint64_t(column * rows + first) * std::uint64_t(element_.bytes), bytes);
    decode(element_, bytes.data(), out.size(), out.data());
  }

 private:
  mutable ByteSource source_;  // reading at a place moves nothing
  std::uint64_t offset_;
  ElementType element_;
  Index cols_;

  void read_at(std::uint64_t place, std::vector<char>& bytes) const {
    source_.feed().read_at(offset_ + place, bytes.data(), bytes.size());
  }
};

// Unpacked, as it is.
std::shared_ptr<const ScratchFile> copied(ByteSource& source, const Extent& extent, const RunContext& context) {
  auto scratch = std::make_shared<ScratchFile>();
  std::vector<char> bytes(kCopied);
  for (std::uint64_t left = extent.bytes; left > 0;) {
    context.poll();
    const std::size_t count = std::size_t(std::min<std::uint64_t>(left, bytes.size()));
    source.read_exactly(bytes.data(), count, "the array");
    scratch->append(bytes.data(), count);
    left -= count;
  }
  return scratch;
}

// An array that is stored by columns, row after row.
StoredRows turned(const ArrayStore& columns, const Extent& extent, const RunContext& context) {
  auto scratch = std::make_shared<ScratchFile>();
  const Index band = std::max<Index>(1, kTurned / extent.cols);
  for (Index t = 0; t < tile_count(extent.rows, band); ++t) {
    context.poll();
    const Range rows = tile_range(extent.rows, band, t);
    RowMatrix block(rows.size(), extent.cols);
    std::vector<double> column(std::size_t(rows.size()));
    for (Index j = 0; j < extent.cols; ++j) {
      columns.read_column(extent.rows, j, rows.begin, column);
      block.col(j) = Eigen::Map<const Vector>(column.data(), rows.size());
    }
    scratch->append(block.data(), std::size_t(block.size()) * sizeof(double));
  }
  return rows_in(scratch, 0, kOwnElement, extent.rows, extent.cols);
}

}  // namespace

std::optional<StoredRows> stored_array(ByteSource source, const FormatRow& format, const RunContext& context) {
  const RawArray array = format.array(source);
  const Extent extent = checked_extent(source, array);
  const bool by_columns = array.order == StorageOrder::columns_first && extent.rows > 1 && array.shape.size() > 1;
  if (array.order == StorageOrder::columns_first && array.shape.size() > 2) return std::nullopt;
  if (!source.feed().random_access()) {
    if (by_columns) return std::nullopt;
    return rows_in(copied(source, extent, context), 0, array.element, extent.rows, extent.cols);
  }
  auto store = std::make_shared<ArrayStore>(std::move(source), array.element, extent.cols);
  if (by_columns) return turned(*store, extent, context);
  return StoredRows(std::move(store), extent.rows, extent.cols);
}

namespace {

// What settled() does with a table of numbers, a block of rows after the other.
class ArrayTable {
 public:
  ArrayTable(const StoredRows& all, const std::string& source, const ReadOptions& options, const RunContext& context)
      : all_(all), options_(options), context_(context), names_(numbered_names(all.cols())) {
    ReadOptions by_place = options;  // features as they are
    by_place.recipe = nullptr;
    roles_ = column_roles(source, names_, false, by_place);
    out_.source = source;
    missing_ = missing_rule(options);
    if (missing_ > MissingValues::drop)
      fail(ErrorCode::unsupported,
           "{}: the samples do not fit into memory, and input.na {} looks at all of them at once; use input.na drop",
           source, to_string(missing_));
    if (!roles_.codes.empty())
      fail(ErrorCode::unsupported,
           "{}: the samples do not fit into memory, where input.kind '*=number(…)' does not apply", source);
    for (const auto& [j, kind] : roles_.kinds)
      if (kind.kind != ColumnKind::number || !kind.levels.empty())
        fail(ErrorCode::unsupported, "{}: the samples do not fit into memory, where columns can only be numbers",
             source);
  }

  Dataset read() {
    for_each_block(all_, [&](Index first, const RowMatrix& block) {
      context_.poll();
      for (Index i = 0; i < block.rows(); ++i) take(first + i, block.row(i));
    });
    if (kept_.empty() && dropped() > 0)
      fail(ErrorCode::bad_data, "{}: every row has a missing value; no row is left", out_.source);
    StoredRows rows = dropped() == 0 ? all_ : all_.with_rows(kept_);
    if (Index(roles_.features.size()) < all_.cols()) rows = rows.with_columns(roles_.features);
    for (const Index j : roles_.features) out_.feature_names.push_back(at(names_, j));
    out_.samples = std::move(rows);
    out_.labels = labels_.finish();
    tell_dropped(unlabelled_, "without a label");
    tell_dropped(incomplete_, "with missing values");
    if (missing_ != MissingValues::reject) out_.recipe = recipe();
    return std::move(out_);
  }

 private:
  const StoredRows& all_;
  const ReadOptions& options_;
  const RunContext& context_;
  std::vector<std::string> names_;
  ColumnRoles roles_;
  MissingValues missing_;
  Dataset out_;
  LabelParts labels_;
  std::vector<Index> kept_, unlabelled_, incomplete_;

  void take(Index i, const Eigen::Ref<const Eigen::RowVectorXd>& row) {
    const bool labelled = roles_.label != ColumnRoles::kNone;
    bool whole = true;
    for (const Index j : roles_.features)
      if (!std::isfinite(row[j])) {
        if (std::isinf(row[j]))
          fail(ErrorCode::not_finite, "{}, row {}, column '{}': the value is infinite", out_.source, i + 1,
               at(names_, j));
        if (missing_ == MissingValues::reject)
          fail(ErrorCode::not_finite, "{}, row {}, column '{}': the value is missing (NaN); {}", out_.source, i + 1,
               at(names_, j), kMissingAdvice);
        whole = false;
      }
    const bool has_label = !labelled || !std::isnan(row[roles_.label]);
    if (!has_label && missing_ == MissingValues::reject)
      fail(ErrorCode::not_finite, "{}, row {}: the label is missing; {}", out_.source, i + 1, kMissingAdvice);
    if (!whole || !has_label) {
      if (dropped() == 0)  // from here on it is known that some are left out
        for (Index before = 0; before < i; ++before) kept_.push_back(before);
      (has_label ? incomplete_ : unlabelled_).push_back(i);
      return;
    }
    if (dropped() > 0) kept_.push_back(i);
    if (labelled) labels_.add(number_text(row[roles_.label]));
    if (roles_.id != ColumnRoles::kNone) out_.ids.push_back(number_text(row[roles_.id]));
  }

  std::size_t dropped() const { return unlabelled_.size() + incomplete_.size(); }

  std::shared_ptr<const TableRecipe> recipe() const {
    if (options_.recipe && options_.recipe->features() == Index(roles_.features.size())) return options_.recipe;
    auto found = std::make_shared<TableRecipe>();
    for (const std::string& name : out_.feature_names) found->columns.push_back({name});
    for (const Index j : roles_.targets) found->targets.push_back(at(names_, j));
    found->missing = options_.missing;
    return found;
  }

  void tell_dropped(const std::vector<Index>& rows, std::string_view why) {
    if (rows.empty()) return;
    for (const Index i : rows) out_.dropped.push_back({i + 1});
    std::vector<std::string> some;
    for (std::size_t k = 0; k < std::min<std::size_t>(5, rows.size()); ++k) some.push_back(std::to_string(rows[k] + 1));
    out_.notes.push_back(fmt::format("{} {} dropped: {}{}", counted((long long)(rows.size()), "row", "rows"), why,
                                     fmt::join(some, ", "), rows.size() > 5 ? ", …" : ""));
  }
};

}  // namespace

Dataset table_of(const StoredRows& all, const std::string& source, const ReadOptions& options,
                 const RunContext& context) {
  return ArrayTable(all, source, options, context).read();
}

}  // namespace ritz::detail
