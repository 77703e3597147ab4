// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>
#include <utility>

#include "base/at.hpp"
#include "data/columns.hpp"
#include "data/field_letters.hpp"
#include "data/field_values.hpp"
#include "data/formats/array_readers.hpp"
#include "data/formats/record.hpp"
#include "data/formats/table.hpp"
#include "data/source_names.hpp"
#include "data/streams/growing_values.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

// What is held of a column beside its values: views of its fields, its names and roles, and its row of the recipe; and
// where there is something special about it.
constexpr double kRawColumnBytes = sizeof(RawColumn) + 8 * sizeof(void*);
constexpr double kColumnBytes = 2 * sizeof(Column) + 6 * sizeof(std::string);

enum class Role : char { feature, text, label, id, dropped, needed };

// Names that the caller knows: a line that holds one is a header.
std::vector<std::string> known_names(const ReadOptions& options) {
  std::vector<std::string> names = {options.label_column, options.id_column};
  for (const auto* list : {&options.drop_columns, &options.target_columns, &options.columns})
    for (const std::string& word : *list) {
      names.push_back(word);
      if (const auto parts = TextForm<std::vector<std::string>>::parse(word))
        names.insert(names.end(), parts->begin(), parts->end());
    }
  for (const std::string& kind : options.kinds) names.push_back(read_kind(kind).name);
  if (options.recipe)
    for (const Column& column : options.recipe->columns) names.push_back(column.name);
  return names;
}

class DelimitedReader {
 public:
  DelimitedReader(ByteSource& source, const ReadOptions& options, const RunContext& context)
      : layout_(guess_layout(source, context, known_names(options))),
        options_(options),
        context_(context),
        records_(source, context, layout_.delimiter),
        values_(context, source.name()) {}

  Table read() {
    std::string_view record;
    bool more = records_.next(record);
    if (layout_.told) more = records_.next(record);
    for (std::size_t k = 0; k < layout_.lead && more; ++k) more = records_.next(record);
    if (!more) throw Error(ErrorCode::bad_data, name() + " holds no samples, only comments or blank lines");
    header_ = layout_.name_line ? without_marks(*layout_.name_line) : record;
    read_columns(header_);
    records_.set_width(names_.size());
    if (layout_.header && !layout_.name_line) more = records_.next(record);
    for (; more; more = records_.next(record)) {
      if (is_no_row(record) || is_footnote(record)) continue;
      // In a file of one column a blank line is a missing value; dropping it would shift all rows behind it.
      if (roles_.size() == 1 && rows_ > 0)
        for (const BlankLines& lines : records_.blank_lines())
          for (long long k = 0; k < lines.count; ++k) {
            missing(lines.first + k, 0, values_.extend(1), "");
            ++rows_;
          }
      if (held_) read_row(held_->second, held_->first);
      held_.reset();
      if (is_called_total(record))
        held_.emplace(records_.line(), record);
      else
        read_row(record, records_.line());
    }
    if (held_ && !is_total(held_->second)) read_row(held_->second, held_->first), held_.reset();
    if (rows_ == 0) throw Error(ErrorCode::bad_data, name() + " holds a header but no samples");
    table_.values = values_.take(rows_, features());
    table_.context = &context_;
    table_.decimal = layout_.decimal;
    if (layout_.lead > 0)
      table_.notes.push_back(
          fmt::format("{} before the table left out", counted((long long)(layout_.lead), "line", "lines")));
    if (layout_.name_line) table_.notes.emplace_back("the names of the columns are those of a comment in front");
    if (!footnotes_.empty())
      table_.notes.push_back(fmt::format("{} behind the table left out: {}",
                                         counted((long long)(footnotes_.size()), "line", "lines"),
                                         excerpt(footnotes_.front().second)));
    if (held_)
      table_.notes.push_back(
          fmt::format("the last row is called {} and holds the sums or means of the others: left out",
                      excerpt(first_word(held_->second))));
    if (short_ > 0)
      table_.notes.push_back(fmt::format("{} before the last field: what is not there is missing",
                                         short_ == 1 ? "1 row ends" : fmt::format("{} rows end", short_)));
    if (!units_.empty())
      table_.notes.push_back(fmt::format("below the names of the columns, left out: {}", some_of(units_, 4)));
    if (empty_ > 0)
      table_.notes.push_back(fmt::format("{} without any value left out", counted((long long)(empty_), "row", "rows")));
    if (headers_ > 0)
      table_.notes.push_back(fmt::format("the header stands {} in the file: only the first was taken",
                                         headers_ == 1 ? "twice" : fmt::format("{} times", headers_ + 1)));
    if (layout_.decimal == ',') table_.notes.emplace_back("a comma is the decimal mark of this file");
    if (foreign_)
      table_.notes.emplace_back(
          "the file is not UTF-8: its texts were read as Windows-1252 (Latin-1); if they look wrong, iconv -f ENCODING "
          "-t "
          "UTF-8 makes it so");
    return std::move(table_);
  }

 private:
  const std::string& name() const { return records_.lines().name(); }
  Index features() const { return Index(table_.names.size()); }

  // A row of delimiters only, as spreadsheets write behind their last row, or the header once more, where tables were
  // put one after the other.
  bool is_no_row(std::string_view record) {
    if (roles_.size() < 2) return false;
    if (record.find_first_not_of(layout_.delimiter) == std::string_view::npos ||
        record.find_first_not_of(std::string{layout_.delimiter, ' ', '"'}) == std::string_view::npos) {
      ++empty_;
      return true;
    }
    if (!layout_.header || record != header_) return false;
    ++headers_;
    return true;
  }

  void read_row(std::string_view record, long long line) {
    line_ = line;
    if (!read_plain(record)) read_quoted(record);
    ++rows_;
  }

  // The first field that is not empty, without quotes and a colon.
  std::string_view first_word(std::string_view record) const {
    const std::size_t begin = record.find_first_not_of(std::string_view("\" \t,;|"));
    if (begin == std::string_view::npos) return {};
    record.remove_prefix(begin);
    const std::size_t end = layout_.delimiter == kBlanks ? record.find_first_of(" \t") : record.find(layout_.delimiter);
    std::string_view word = without_blanks(record.substr(0, end));
    while (word.ends_with('"') || word.ends_with(':')) word.remove_suffix(1);
    return word;
  }

  // Its first text says that it sums up the rows above, as spreadsheets do below a table.
  bool is_called_total(std::string_view record) const {
    constexpr std::size_t kRows = 2, kShortest = 3, kLongest = 12;
    if (rows_ < Index(kRows) || roles_.size() < 2) return false;
    const std::string_view word = first_word(record);
    return word.size() >= kShortest && word.size() <= kLongest && is_total_word(word);
  }

  // The numbers of the record are the sums or the means of their columns, as far as its digits tell, in most of them.
  bool is_total(const std::string& record) {
    split_fields(record, layout_.delimiter, fields_);
    if (fields_.of.size() > roles_.size()) return false;
    Index told = 0, alike = 0;
    for (std::size_t j = 0; j < fields_.of.size(); ++j) {
      const auto number = dressed_number(fields_.of[j], layout_.decimal);
      if (!number || (roles_[j] != Role::feature && roles_[j] != Role::text)) continue;
      const auto sum = sum_of(slots_[j]);
      if (!sum) continue;
      ++told;
      alike += is_sum(*number, fields_.of[j], sum->first, sum->second);
    }
    return alike > 0 && 2 * alike >= told;
  }

  // Of a column's numbers, and how many there are.
  std::optional<std::pair<double, Index>> sum_of(Index feature) {
    const auto known = table_.raw.find(feature);
    const bool text = known != table_.raw.end() && known->second.is_text;
    const double* const values = values_.extend(0) - rows_ * features();
    double sum = 0;
    Index count = 0;
    for (Index i = 0; i < rows_; ++i) {
      const double value = values[i * features() + feature];
      if (std::isnan(value)) continue;
      const auto number =
          text ? dressed_number(at(known->second.texts, Index(value)), layout_.decimal) : DressedNumber{value, ""};
      if (!number) return std::nullopt;
      sum += number->value;
      ++count;
    }
    return count > 1 ? std::optional(std::pair{sum, count}) : std::nullopt;
  }

  // Rounded as it is printed, and as its summands are.
  bool is_sum(const DressedNumber& number, std::string_view field, double sum, Index count) const {
    const std::size_t mark = field.rfind(layout_.decimal);
    const std::size_t digits = mark == field.npos ? 0 : digits_ahead(field.substr(mark + 1));
    const double half = 0.5 * std::pow(10.0, -double(digits)) + 1e-12 * std::abs(sum);
    const bool mean = std::abs(number.value - sum / double(count)) <= 2 * half && number.value != 0;
    return mean || std::abs(number.value - sum) <= half * (digits > 0 ? double(count + 1) : 1);
  }

  // A text alone in its line is a remark behind the table, unless a row comes after it. A number is a row cut short.
  bool is_footnote(std::string_view record) {
    constexpr std::size_t kMost = 20, kLeastWidth = 3;
    if (roles_.size() < kLeastWidth || rows_ == 0 || layout_.delimiter == kBlanks) return false;
    const bool quoted = record.starts_with('"');
    if (quoted || record.find(layout_.delimiter) == std::string_view::npos) {
      split_fields(record, layout_.delimiter, fields_);
      if (fields_.of.size() == 1 && !read_number(fields_.of.front(), layout_.decimal) &&
          !is_missing(fields_.of.front()) && footnotes_.size() < kMost) {
        footnotes_.emplace_back(records_.line(), fields_.of.front());
        return true;
      }
    }
    if (!footnotes_.empty()) wrong_count(footnotes_.front().first, 1);
    return false;
  }

  void read_columns(std::string_view record) {
    split_fields(record, layout_.delimiter, fields_);
    values_.hold(kColumnBytes * double(fields_.of.size()) + 3.0 * double(record.size()));
    const std::size_t first = layout_.row_names ? 1 : 0;  // R gives the rows' names no name
    names_ = numbered_names(Index(fields_.of.size() + first + (layout_.last_empty ? 1 : 0)));
    std::vector<Index> unnamed;
    for (std::size_t j = 0; layout_.header && j < names_.size(); ++j) {
      if (j < first || j - first >= fields_.of.size() || fields_.of[j - first].empty())
        unnamed.push_back(Index(j));
      else
        names_[j] = text_of(bare(fields_.of[j - first]));
    }
    join_further_names(!unnamed.empty());
    ReadOptions asked = options_;
    for (auto* list : {&asked.drop_columns, &asked.columns})
      for (std::string& word : *list)
        if (word.empty() && !unnamed.empty()) word = std::to_string(unnamed.front() + 1);  // as the header calls it
    const ColumnRoles roles = column_roles(name(), names_, layout_.header, asked);
    roles_.assign(names_.size(), Role::dropped);
    slots_.assign(names_.size(), 0);
    for (std::size_t k = 0; k < roles.features.size(); ++k) {
      const Index j = roles.features[k];
      at(roles_, j) = Role::feature;
      at(slots_, j) = Index(k);
      table_.names.push_back(at(names_, j));
      if (std::ranges::find(unnamed, j) != unnamed.end()) raw(j).unnamed = true;
      if (const auto kind = roles.kinds.find(j); kind != roles.kinds.end()) ask(j, kind->second);
      if (options_.recipe) ask(j, at(options_.recipe->columns, Index(k)));
    }
    for (const Index j : roles.targets) {
      if (options_.recipe)
        at(roles_, j) = Role::needed;
      else
        table_.targets.push_back(at(names_, j));
    }
    table_.codes = roles.codes;
    table_.named = layout_.header;
    table_.first_is_first = roles.features.front() == 0;
    table_.replayed = options_.recipe != nullptr;
    if (roles.label != ColumnRoles::kNone) {
      at(roles_, roles.label) = Role::label;
      table_.label = at(names_, roles.label);
    }
    if (roles.id != ColumnRoles::kNone) {
      at(roles_, roles.id) = Role::id;
      table_.id = at(names_, roles.id);
    }
  }

  // Names in several lines become one, "x mean", where the first line does not tell the columns apart; else what
  // stands below them, units or questions, is no part of the name that people use. What pandas puts for no name is
  // none.
  void join_further_names(bool unnamed) {
    std::string_view record;
    std::vector<std::string> sorted = names_;
    std::ranges::sort(sorted);
    const bool apart = !unnamed && std::ranges::adjacent_find(sorted) == sorted.end();
    for (std::size_t k = 0; k < layout_.further_lines && records_.next(record); ++k) {
      split_fields(record, layout_.delimiter, fields_);
      const bool index_alone = std::all_of(fields_.of.begin() + 1, fields_.of.end(), is_missing);
      for (std::size_t j = 0; apart && j < fields_.of.size() && !index_alone; ++j)
        if (!is_missing(fields_.of[j])) units_.push_back(text_of(bare(fields_.of[j])));
      for (std::size_t j = 0; !apart && j < names_.size() && j < fields_.of.size() && !index_alone; ++j)
        if (const std::string more = text_of(bare(fields_.of[j])); !is_missing(more) && !more.starts_with("Unnamed: "))
          names_[j] += ' ' + more;
    }
  }

  // The column's kind is known beforehand.
  void ask(Index column, const Column& kind) {
    if (options_.recipe && kind.kind == ColumnKind::number) return;
    raw(column).asked = kind;
    if (kind.kind == ColumnKind::number) return;
    raw(column).is_text = true;
    at(roles_, column) = Role::text;
  }

  RawColumn& raw(Index column) {
    const auto [found, fresh] = table_.raw.try_emplace(at(slots_, column));
    if (fresh) values_.hold(kRawColumnBytes);
    found->second.number = column + 1;
    return found->second;
  }

  std::string_view bare(std::string_view field) const {
    return layout_.single_quotes ? without_single_quotes(field) : field;
  }

  std::string text_of(std::string_view field) {
    std::string text = as_utf8(field);
    foreign_ |= text.size() != field.size();
    return text;
  }

  // The way of nearly every row: no quotes. False, with nothing taken, when there are some.
  bool read_plain(std::string_view record) {
    if (record.find('"') != std::string_view::npos) return false;
    const char delimiter = layout_.delimiter;
    const char* at = record.data();
    const char* const end = at + record.size();
    const auto skip = [&] {
      while (at != end && is_blank(*at) && (*at != delimiter || delimiter == kBlanks)) ++at;
    };
    double* const row = values_.extend(features());
    for (std::size_t j = 0; j < roles_.size(); ++j) {
      skip();
      const char* const start = at;
      double* const out = row + slots_[j];
      bool done = false;
      if (roles_[j] == Role::feature && layout_.decimal == '.') {
        const auto [stop, error] = std::from_chars(at, end, *out);
        at = stop;
        const bool at_blank = at != end && is_blank(*at);
        skip();
        done = error == std::errc() && std::isfinite(*out) && !begins_with_zeros({start, std::size_t(stop - start)}) &&
               (at == end || (delimiter == kBlanks ? at_blank : *at == delimiter));
      }
      if (!done) {
        at = start;
        while (at != end && (delimiter == kBlanks ? !is_blank(*at) : *at != delimiter)) ++at;
        take_field(without_blanks({start, std::size_t(at - start)}), j, out);
        if (delimiter == kBlanks) skip();
      }
      const bool last = j + 1 == roles_.size();
      if (at == end && !last) {
        take_absent(j + 1, row, record);
        return true;
      }
      if (at != end && last) wrong_count(record);
      if (at != end && delimiter != kBlanks) ++at;
    }
    return true;
  }

  void read_quoted(std::string_view record) {
    split_fields(record, layout_.delimiter, fields_);
    if (fields_.of.size() > roles_.size()) wrong_count(record);
    double* const row = values_.extend(features());
    const std::size_t there = fields_.of.size();
    for (std::size_t j = 0; j < there; ++j) take_field(fields_.of[j], j, row + slots_[j]);
    if (there < roles_.size()) take_absent(there, row, record);
  }

  // The row ends early: what is not there is missing where the caller said what to do with missing values, and does not
  // matter in columns that are left out.
  void take_absent(std::size_t first, double* row, std::string_view record) {
    const bool gaps = missing_rule(options_) != MissingValues::reject && layout_.delimiter != kBlanks;
    for (std::size_t j = first; j < roles_.size(); ++j) {
      if (roles_[j] != Role::dropped && !gaps) wrong_count(record);
      take_field({}, j, row + slots_[j]);
    }
    ++short_;
  }

  void take_field(std::string_view field, std::size_t column, double* out) {
    const Role role = roles_[column];
    field = bare(field);
    if (role == Role::dropped) return;
    if (role == Role::needed) {
      if (is_missing(field)) table_.unlabelled.push_back(rows_);
      return;
    }
    if (role == Role::id) {
      table_.ids.push_back(text_of(field));
      return values_.hold(text_bytes(table_.ids.back()));
    }
    const bool named = role == Role::label && !field.empty() && field == options_.unlabelled;
    if (is_missing(field) && !named && !is_asked_level(column, field)) return missing(line_, column, out, field);
    if (role == Role::label) {
      table_.labels.push_back(text_of(field));
      return values_.hold(text_bytes(table_.labels.back()));
    }
    const auto value = read_number(field, layout_.decimal);
    if (value && std::isnan(*value)) return missing(line_, column, out, field);
    const bool text =
        role == Role::text && field.find_first_of("0123456789") != std::string_view::npos;  // 19e309, a code
    if (value && std::isinf(*value) && !text)
      fail(line_, column, ErrorCode::not_finite,
           excerpt(field) + " is infinite: write NA in its place, which input.na then settles");
    if (value && role == Role::feature && !(begins_with_zeros(field) && may_be_codes(column)))
      *out = *value;
    else
      take_text(field, value && std::isinf(*value) ? std::nullopt : value, column, out);
  }

  // A field of a column of texts, or the first that is no number.
  void take_text(std::string_view field, const std::optional<double>& value, std::size_t column, double* out) {
    if (roles_[column] == Role::feature && options_.recipe) {
      const auto meant = text_value(text_of(field), at(options_.recipe->columns, slots_[column]), layout_.decimal);
      if (meant && std::isnan(*meant)) return missing(line_, column, out, field);
      if (meant) {
        *out = *meant;
        return;
      }
      fail(line_, column, ErrorCode::bad_file,
           excerpt(field) + " is not a number, as those that the model was fitted to were");
    }
    RawColumn& texts = raw(Index(column));
    if (!value && texts.line == 0) {
      texts.line = line_;
      texts.first = field;
    }
    if (roles_[column] == Role::feature) {
      roles_[column] = Role::text;
      texts.take_numbers(out - rows_ * features(), rows_, features());
    }
    texts.codes |= value && begins_with_zeros(field);
    const std::size_t known = texts.texts.size();
    *out = double(texts.place(value && !begins_with_zeros(field) ? number_text(*value) : text_of(field)));
    if (texts.texts.size() > known) values_.hold(2 * text_bytes(field) + 4 * sizeof(void*));
  }

  // Nobody said that the column holds numbers, and its name may say what else they are.
  bool may_be_codes(std::size_t column) const {
    if (options_.recipe || !layout_.header) return false;
    const auto known = table_.raw.find(slots_[column]);
    return known == table_.raw.end() || !known->second.asked;
  }

  // A word for a missing value that is a level here: NA among codes of countries.
  bool is_asked_level(std::size_t column, std::string_view field) const {
    if (roles_[column] != Role::text) return false;
    const auto known = table_.raw.find(slots_[column]);
    if (known == table_.raw.end() || !known->second.asked) return false;
    const std::vector<std::string>& levels = known->second.asked->levels;
    return std::ranges::find(levels, field) != levels.end();
  }

  void missing(long long line, std::size_t column, double* out, std::string_view field) {
    if (roles_[column] == Role::label) {
      if (missing_rule(options_) == MissingValues::reject)
        fail(line, column, ErrorCode::not_finite,
             fmt::format("the label is missing{}; {}", field.empty() ? "" : fmt::format(" ({})", field),
                         kMissingAdvice));
      values_.hold(text_bytes({}) + 2 * sizeof(Index));
      table_.unlabelled.push_back(rows_);
      table_.labels.emplace_back();
      return;
    }
    *out = kUnknown;
    RawColumn& gaps = raw(Index(column));
    if (gaps.missing_line > 0) return;
    gaps.missing_line = line;
    gaps.missing_text = as_utf8(field);
  }

  [[noreturn]] void fail(long long line, std::size_t column, ErrorCode code, const std::string& sentence) const {
    const std::string column_name = layout_.header ? fmt::format(" ('{}')", names_[column]) : "";
    throw Error(code, fmt::format("{}, line {}, column {}{}: {}", name(), line, column + 1, column_name, sentence));
  }
  [[noreturn]] void wrong_count(std::string_view record) {
    split_fields(record, layout_.delimiter, fields_);
    wrong_count(line_, fields_.of.size());
  }
  [[noreturn]] void wrong_count(long long line, std::size_t found) {
    const std::string mark = layout_.delimiter == '\t' ? "a tab" : fmt::format("a '{}'", layout_.delimiter);
    const std::string cure =
        layout_.delimiter == kBlanks ? "write NA where a value is missing, and texts with blanks between double quotes"
        : layout_.delimiter < ' ' && layout_.delimiter != '\t' ? "give every line all fields"
        : found > roles_.size()
            ? fmt::format("put a text that holds {} between double quotes", mark)
            : "take the line out, or give it all its fields; input.na drop, or median, takes what it "
              "lacks for missing";
    records_.lines().fail_at(
        line, fmt::format("found {} {}, expected {}; {}", found, found == 1 ? "field" : "fields", roles_.size(), cure));
  }

  Layout layout_;
  const ReadOptions& options_;
  const RunContext& context_;
  RecordReader records_;
  GrowingValues values_;
  Fields fields_;
  std::string header_;                                        // as it stands in the file
  Index empty_ = 0, headers_ = 0;                             // rows left out
  Index short_ = 0;                                           // rows that end early
  long long line_ = 0;                                        // of the row that is read
  std::optional<std::pair<long long, std::string>> held_;     // a row called total, and its line, while it is the last
  std::vector<std::string> units_;                            // below the names of the columns
  std::vector<std::pair<long long, std::string>> footnotes_;  // lines of one text, and where
  std::vector<std::string> names_;                            // of all columns
  std::vector<Role> roles_;
  std::vector<Index> slots_;  // of the features among each other
  bool foreign_ = false;      // a text was not UTF-8
  Table table_;
  Index rows_ = 0;
};

bool any_text(std::string_view) { return true; }

Dataset read_delimited(ByteSource& source, const ReadOptions& options, const RunContext& context) {
  return settled(DelimitedReader(source, options, context).read(), source.name(), options);
}

std::vector<NamedMatrix> read_matrices(ByteSource& source, const RunContext& context) {
  return one_matrix(read_delimited(source, {}, context), context);
}

void write_delimited(std::ostream& out, const OutputTable& table) {
  const char delimiter = table.ending == ".tsv" ? '\t' : table.ending == ".txt" ? ' ' : ',';
  std::string line;
  for (const std::string& name : table.names) {
    line += field_text(name, delimiter);
    line += delimiter;
  }
  if (!line.empty()) {
    line.back() = '\n';
    out << line;
  }
  Vector row(table.cols());
  for (Index i = 0; i < table.rows() && out; ++i) {
    table.copy_row(i, row.data());
    line.clear();
    if (table.row_names) line += field_text(at(*table.row_names, i), delimiter);
    for (Index j = 0; j < row.size(); ++j) {
      if (j > 0 || table.row_names) line += delimiter;
      append_number(line, row[j]);
    }
    line += '\n';
    out.write(line.data(), std::streamsize(line.size()));
  }
}

// A label may hold blanks ("Iris setosa"), but a line of several numbers, or of fields between delimiters, is a table.
std::size_t field_count(std::string_view record, Fields& fields) {
  for (const char delimiter : {',', '\t', ';'}) {
    split_fields(record, delimiter, fields);
    if (fields.of.size() > 1) return fields.of.size();
  }
  split_fields(record, kBlanks, fields);
  const bool numbers =
      std::ranges::all_of(fields.of, [](std::string_view field) { return read_double(field).has_value(); });
  return numbers ? fields.of.size() : 1;
}

bool is_number(const std::string& text) { return read_double(text).has_value(); }

// Quotes taken off. A first line is a header when it is no number and all the others are, or where it is the one that
// this program writes: "label", or "id,label" before rows with the sample's name.
std::vector<std::string> read_label_lines(ByteSource& source, const std::string& unlabelled,
                                          const RunContext& context) {
  RecordReader records(source, context, kNoDelimiter);
  std::vector<std::string> labels;
  double held = 0;
  std::string_view record;
  Fields fields;
  bool named = false, own_header = false;
  const auto no_label = [&](long long line) { records.lines().fail_at(line, "the label is missing"); };
  while (records.next(record)) {
    if (!labels.empty() && !records.blank_lines().empty()) no_label(records.blank_lines().front().first);
    if (labels.empty() && !own_header && (record == "label" || record == "id,label")) {
      named = record != "label";
      own_header = true;
      continue;
    }
    if (const std::size_t count = field_count(record, fields); count != (named ? 2 : 1))
      records.lines().fail_at(records.line(), fmt::format("found {} fields, expected {}", count, named ? 2 : 1));
    split_fields(record, named ? ',' : kNoDelimiter, fields);
    if (named) fields.of.erase(fields.of.begin());
    if (is_missing(fields.of.front()) && fields.of.front() != unlabelled) no_label(records.line());
    held += text_bytes(fields.of.front());
    require_reading_memory(context, held, source.name());
    labels.push_back(as_utf8(fields.of.front()));
  }
  const bool header = !own_header && labels.size() > 1 && labels.front() != unlabelled && !is_number(labels.front()) &&
                      std::all_of(labels.begin() + 1, labels.end(), is_number);
  if (header) labels.erase(labels.begin());
  return labels;
}

// The names of the classes, quoted where they would not read back as themselves.
void write_label_lines(std::ostream& out, const Labels& labels, const std::string&) {
  std::vector<std::string> texts;
  for (const std::string& name : labels.names) {
    const bool like_a_row = is_number(name.substr(0, name.find(' ')));  // "1 2" would be two fields
    texts.push_back(field_text(name, like_a_row ? ' ' : ','));
  }
  for (const int c : labels.of) out << at(texts, c) << '\n';
}

}  // namespace

Table read_table(ByteSource& source, const ReadOptions& options, const RunContext& context) {
  return DelimitedReader(source, options, context).read();
}

extern const FormatRow delimited_format = {
    .name = "CSV",
    .endings = ".csv .tsv .txt",
    .help =
        "text: commas, tabs, semicolons or blanks between the fields; header, decimal mark and kinds of columns are "
        "detected",
    .no_mark = "",
    .recognised = any_text,
    .read = {read_delimited, read_label_lines, read_matrices},
    .lines = true,
    .write = write_delimited,
    .write_labels = write_label_lines,
};

}  // namespace ritz::detail
