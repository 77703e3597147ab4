// SPDX-License-Identifier: MIT
// Records and fields of delimited text: quotes, blanks, comments, and the guess at delimiter and header.
#pragma once

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

// Quotes a field that would not read back as itself without.
std::string field_text(const std::string& field, char delimiter);

// Records of a file: lines, joined where a quoted field spans several; blank lines and comments (#) left out.
class RecordReader {
 public:
  RecordReader(ByteSource& source, const RunContext& context, char delimiter)
      : context_(context), lines_(source, context), delimiter_(delimiter) {}

  bool next(std::string_view& record);
  long long line() const { return first_line_; }                              // where the record begins
  const std::vector<long long>& blank_lines() const { return blank_lines_; }  // since the record before
  const LineReader& lines() const { return lines_; }
  char delimiter() const { return delimiter_; }

 private:
  const RunContext& context_;
  LineReader lines_;
  char delimiter_;
  std::string joined_;
  long long first_line_ = 0;
  std::vector<long long> blank_lines_;
};

struct Layout {
  char delimiter;
  bool header;
};
// From the first lines, which stay in the source.
Layout guess_layout(ByteSource& source, const RunContext& context);

}  // namespace ritz::detail
