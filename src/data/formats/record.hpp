// SPDX-License-Identifier: MIT
// Records and fields of delimited text: quotes, blanks, comments, and the guess at delimiter and header.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/streams/line_reader.hpp"

namespace ritz::detail {

inline constexpr char kBlanks = ' ';  // as delimiter: any run of blanks and tabs
inline constexpr char kNoDelimiter = '\n';

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
std::string_view without_blanks(std::string_view text);

// The fields of one record, quotes taken off, blanks around them cut. Views into the record or into `unquoted`.
struct Fields {
  std::vector<std::string_view> of;
  std::string unquoted;
};
// False when a quoted field is still open at the end: the record goes on in the next line.
bool split_fields(std::string_view record, char delimiter, Fields& out);

// Throws ErrorCode::memory where the fields of a text, by whatever delimiter it has, take more than is allowed: of few
// letters each they are much larger than the text. `each`: bytes that are held of a field beside its view.
void require_fields(std::string_view text, std::size_t each, const RunContext& context, const std::string& name);

bool is_no_record(std::string_view line);  // a comment, or drawn around a table
bool is_comment(std::string_view line);
// Reads the quoted field at the front of `rest` and appends its content; false when it is not closed.
bool take_quoted(std::string_view& rest, std::string& content);
// Whether a line ends inside a quoted field.
bool ends_in_quotes(std::string_view line, char delimiter, bool begins_in_quotes);
// Digits in groups of three, "1,234,567": at least one mark.
bool in_groups(std::string_view digits, char mark);
std::string_view without_sign(std::string_view field);

// A comment without its marks and the blanks around.
std::string_view without_marks(std::string_view comment);

// 'text' without its quotes; anything else as it is.
std::string_view without_single_quotes(std::string_view field);

// Quotes a field that would not read back as itself without.
std::string field_text(const std::string& field, char delimiter);

// One after the other: a file of nothing else would take sixteen times its size as a list of their numbers.
struct BlankLines {
  long long first, count;
};

// Records of a file: lines, joined where a quoted field spans several; blank lines, comments (#) and what is
// drawn around a table ("---+---", "(60 rows)") left out.
class RecordReader {
 public:
  RecordReader(ByteSource& source, const RunContext& context, char delimiter)
      : context_(context), lines_(source, context), delimiter_(delimiter) {}

  bool next(std::string_view& record);
  long long line() const { return first_line_; }                               // where the record begins
  const std::vector<BlankLines>& blank_lines() const { return blank_lines_; }  // since the record before
  const LineReader& lines() const { return lines_; }
  char delimiter() const { return delimiter_; }
  void set_width(std::size_t fields) { width_ = fields; }  // of a record, once that is known

 private:
  const RunContext& context_;
  LineReader lines_;
  bool is_row(std::string_view line) const;

  char delimiter_;
  std::size_t width_ = 0;
  std::string joined_;
  long long first_line_ = 0;
  std::vector<BlankLines> blank_lines_;
};

// A number as programs and people write it: also 5,1 where the decimal mark is a comma, and 1,234.5 or 1.234,5 with
// groups of three. Nothing when it is none.
std::optional<double> read_number(std::string_view field, char decimal);

// Digits alone, of which the first is a zero that no number needs: "007", a code.
bool begins_with_zeros(std::string_view field);

struct Layout {
  char delimiter;
  bool header;
  char decimal = '.';
  bool row_names = false;         // the header is one field shorter than the rows, whose first is their name (R)
  bool told = false;              // by a first line "sep=;", which is no record (Excel)
  std::size_t lead = 0;           // records before the table: titles
  std::size_t further_lines = 0;  // of the header, below its first
  bool last_empty = false;        // every row ends with a delimiter, the header does not
  bool single_quotes = false;     // around texts
  std::optional<std::string> name_line{};  // the comment that holds the names of the columns, where no header does
};
// From the first lines, which stay in the source. A first line that holds one of the wanted names is a header.
Layout guess_layout(ByteSource& source, const RunContext& context, const std::vector<std::string>& wanted = {});

}  // namespace ritz::detail
