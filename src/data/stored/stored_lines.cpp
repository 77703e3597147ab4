// SPDX-License-Identifier: MIT
// Delimited text in parts of whole records, each read like a file of its own behind the same header. The first part
// tells what the columns are; the others are read by its recipe, and one that does not go with it is an error, never
// read otherwise than the first.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "base/fail.hpp"
#include "data/columns.hpp"
#include "data/formats/record.hpp"
#include "data/stored/scratch_file.hpp"
#include "data/stored/stored_dataset.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

constexpr std::size_t kPartBytes = std::size_t(8) << 20;  // of text
constexpr std::size_t kLongest = std::size_t(1) << 28;    // of a part that one record fills
constexpr double kPartOfMemory = 0.02;                    // a part's text becomes several times as many bytes

class TextFeed final : public ByteFeed {
 public:
  explicit TextFeed(std::string text) : text_(std::move(text)) {}
  std::size_t read(char* out, std::size_t count) override {
    count = std::min(count, text_.size() - at_);
    std::memcpy(out, text_.data() + at_, count);
    at_ += count;
    return count;
  }
  std::optional<std::uint64_t> remaining() const override { return text_.size() - at_; }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

ByteSource as_source(const std::string& name, std::string text) {
  return {name, std::make_unique<TextFeed>(std::move(text))};
}

long long lines_in(std::string_view text) { return std::ranges::count(text, '\n'); }

// Where the first of the records ends that `count` line ends outside of quotes make; npos: not in the text.
std::size_t end_of_lines(std::string_view text, int count) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '\n' && !quoted && --count == 0) return i + 1;
  }
  return std::string_view::npos;
}

// The text behind its last line end outside of quotes; npos: there is none.
std::size_t last_line_end(std::string_view text) {
  std::size_t end = std::string_view::npos;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '\n' && !quoted) end = i + 1;
  }
  return end;
}

// Parts of whole records.
class Parts {
 public:
  Parts(ByteSource& source, std::size_t bytes) : source_(source), bytes_(bytes) {}

  // False after the last. `first_line`: its number in the file, from 1.
  bool next(std::string& part, long long& first_line) {
    part = std::move(rest_);
    rest_.clear();
    while (!at_end_) {
      const std::size_t before = part.size();
      part.resize(before + bytes_);
      part.resize(before + source_.read(part.data() + before, bytes_));
      at_end_ = part.size() < before + bytes_;
      if (at_end_) break;
      if (const std::size_t end = last_line_end(part); end != std::string_view::npos) {
        rest_ = part.substr(end);
        part.resize(end);
        break;
      }
      if (part.size() > kLongest) source_.fail("a line, or a text in quotes, is too long to be read in parts");
    }
    first_line = line_;
    line_ += lines_in(part);
    return !part.empty();
  }

 private:
  ByteSource& source_;
  std::size_t bytes_;
  std::string rest_;
  bool at_end_ = false;
  long long line_ = 1;
};

// "NAME, line 3, …" of a part is another line of the file.
[[noreturn]] void rethrow_shifted(const Error& error, long long by) {
  const std::string text = error.what();
  constexpr std::string_view kLine = ", line ";
  const std::size_t at = text.find(kLine);
  if (at == std::string::npos) throw error;
  const std::size_t begin = at + kLine.size(), end = text.find_first_not_of("0123456789", begin);
  const auto number = read_integer(text.substr(begin, end - begin));
  if (!number) throw error;
  throw Error(error.code(), fmt::format("{}{}{}", text.substr(0, begin), *number + by,
                                        end == std::string::npos ? "" : text.substr(end)));
}

class LinesReader {
 public:
  LinesReader(ByteSource& source, const FormatRow& format, const ReadOptions& options, const RunContext& context)
      : name_(source.name()),
        format_(format),
        options_(options),
        context_(context),
        parts_(source,
               std::clamp<std::size_t>(std::size_t(kPartOfMemory * double(context.max_memory)), 1 << 16, kPartBytes)) {
    if (missing_rule(options) > MissingValues::drop && !options.recipe)
      fail(ErrorCode::unsupported,
           "{}: the samples do not fit into memory, and input.na {} looks at all of them at once; use input.na drop",
           name_, to_string(options.missing));
  }

  Dataset read() {
    std::string part;
    long long line = 0;
    while (parts_.next(part, line)) {
      context_.poll();
      if (rows_ == 0 && header_.empty()) begin(part);
      take(part, line);
    }
    if (rows_ == 0) fail(ErrorCode::bad_data, "{} holds no samples", name_);
    finish();
    return std::move(out_);
  }

 private:
  std::string name_;
  const FormatRow& format_;
  ReadOptions options_;
  const RunContext& context_;
  Parts parts_;
  std::string header_;
  std::shared_ptr<ScratchFile> scratch_ = std::make_shared<ScratchFile>();
  Dataset out_;
  LabelParts labels_;
  std::shared_ptr<TableRecipe> recipe_;  // of the first part
  Vector mean_, present_;
  Index rows_ = 0, dropped_ = 0;

  Dataset dataset(std::string text) {
    ByteSource source = as_source(name_, std::move(text));
    return format_.read.dataset(source, options_, context_);
  }

  // The header, and what the columns are.
  void begin(const std::string& part) {
    ByteSource source = as_source(name_, part);
    std::vector<std::string> known = {options_.label_column, options_.id_column};
    for (const auto* list : {&options_.drop_columns, &options_.target_columns, &options_.columns})
      known.insert(known.end(), list->begin(), list->end());
    if (options_.recipe)
      for (const Column& column : options_.recipe->columns) known.push_back(column.name);
    const Layout layout = guess_layout(source, context_, known);
    if (layout.name_line) {  // a comment, in front of the samples
      std::size_t end = 0;
      for (bool found = false; !found;) {
        const std::size_t next = end_of_lines(std::string_view(part).substr(end), 1);
        if (next == std::string_view::npos) return;
        found = part.compare(end, next - end - 1, *layout.name_line) == 0;
        end += next;
      }
      header_ = part.substr(0, end);
    } else if (layout.header || layout.told) {
      // Comments and blank lines before it belong to it.
      int lines = (layout.header ? 1 : 0) + (layout.told ? 1 : 0);
      std::string_view text = part;
      std::size_t end = 0;
      while (lines > 0) {
        const std::size_t next = end_of_lines(text.substr(end), 1);
        if (next == std::string_view::npos) return;
        const std::string_view one = without_blanks(text.substr(end, next - end - 1));
        end += next;
        if (!one.empty() && one != "\r" && !one.starts_with('#')) --lines;
      }
      header_ = part.substr(0, end);
    }
    if (options_.recipe) return;
    const Dataset first = dataset(part);
    if (!first.recipe) return;
    recipe_ = std::make_shared<TableRecipe>(*first.recipe);
    if (!layout.header && (!options_.columns.empty() || !recipe_->left_out.empty()))
      fail(ErrorCode::unsupported, "{}: the samples do not fit into memory, where columns are chosen by a header only",
           name_);
    options_.recipe = recipe_;
    options_.kinds.clear();
    out_.notes = first.notes;
    if (options_.id_column.empty() && recipe_->left_out.size() == 1 && !first.ids.empty())
      options_.id_column = recipe_->left_out.front().name;
    std::erase_if(out_.notes, [](const std::string& note) { return note.find(" dropped: ") != note.npos; });
  }

  void take(const std::string& part, long long line) {
    const bool has_header = rows_ == 0 && line == 1;
    const long long shift = has_header ? 0 : line - 1 - lines_in(header_);
    Dataset some = [&] {
      try {
        return dataset(has_header ? part : header_ + part);
      } catch (const Error& error) {
        if (error.code() == ErrorCode::bad_data && blank(part)) return Dataset{};
        rethrow_shifted(error, shift);
      }
    }();
    if (some.rows() == 0) return;
    const RowMatrix& X = some.dense();
    if (rows_ == 0) {
      out_.source = some.source;
      out_.feature_names = some.feature_names;
      if (options_.recipe != recipe_) out_.recipe = some.recipe;
      mean_ = present_ = Vector::Zero(X.cols());
    }
    add_to_means(X, mean_, present_);
    scratch_->append(X.data(), std::size_t(X.size()) * sizeof(double));
    for (const int label : some.labels.of) labels_.add(some.labels.names[std::size_t(label)]);
    std::ranges::move(some.ids, std::back_inserter(out_.ids));
    for (DroppedRow row : some.dropped) {
      row.row += rows_ + dropped_;
      out_.dropped.push_back(std::move(row));
    }
    dropped_ += Index(some.dropped.size());
    rows_ += X.rows();
  }

  static bool blank(const std::string& part) {
    return part.find_first_not_of(" \t\r\n") == std::string::npos || part.starts_with('#');
  }

  void finish() {
    out_.samples = rows_in(scratch_, 0, kOwnElement, rows_, Index(out_.feature_names.size()));
    out_.labels = labels_.finish();
    if (dropped_ > 0)
      out_.notes.push_back(fmt::format("{} row{} with missing values dropped", dropped_, dropped_ == 1 ? "" : "s"));
    if (!recipe_) return;
    recipe_->fill = mean_;
    settle_kinds(recipe_->fill, *recipe_);
    recipe_->missing = missing_rule(options_);
    out_.recipe = recipe_;
  }
};

}  // namespace

Dataset stored_lines(ByteSource source, const FormatRow& format, const ReadOptions& options,
                     const RunContext& context) {
  return LinesReader(source, format, options, context).read();
}

}  // namespace ritz::detail
