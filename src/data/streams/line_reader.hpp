// SPDX-License-Identifier: MIT
// Lines of a byte source without a copy of each: the view is valid until the next call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/source_names.hpp"
#include "data/streams/byte_source.hpp"
#include "ritz/base/context.hpp"

namespace ritz::detail {

class LineReader {
 public:
  // Skips a UTF-8 byte order mark.
  LineReader(ByteSource& source, const RunContext& context);

  // The next line without its end (LF, CRLF, or CR where the file has no LF in its first lines); false after the last.
  // Polls the context now and then.
  bool next(std::string_view& line);
  long long number() const { return number_; }  // of the line last given, from 1
  const std::string& name() const { return source_.name(); }

  // Throws bad_file: "NAME, line 12: the sentence". The second form names another line than the last.
  [[noreturn]] void fail(const std::string& sentence) const { fail_at(number_, sentence); }
  [[noreturn]] void fail_at(long long line, const std::string& sentence) const;

 private:
  ByteSource& source_;
  const RunContext& context_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  bool at_end_ = false;
  char line_end_ = '\n';
  long long number_ = 0;
};

// Lines that end with CR alone, as Macintosh's programs once wrote them and Excel still can.
bool ends_with_returns(std::string_view sample);

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace ritz::detail
