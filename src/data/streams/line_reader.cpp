// SPDX-License-Identifier: MIT
#include "data/streams/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "data/streams/growing_values.hpp"

namespace ritz::detail {

namespace {

constexpr std::size_t kLineChunk = 256 * 1024;
constexpr long long kLinesPerPoll = 256;
constexpr std::size_t kFirstLines = 64 * 1024;

}  // namespace

bool ends_with_returns(std::string_view sample) {
  return sample.find('\n') == sample.npos && std::ranges::count(sample, '\r') > 1;
}

LineReader::LineReader(ByteSource& source, const RunContext& context)
    : source_(source), context_(context), buffer_(kLineChunk) {
  while (source_.peek(kByteOrderMark.size()).starts_with(kByteOrderMark))
    source_.read(buffer_.data(), kByteOrderMark.size());
  if (ends_with_returns(source_.peek(kFirstLines))) line_end_ = '\r';
}

bool LineReader::next(std::string_view& line) {
  if (number_ % kLinesPerPoll == 0) context_.poll();
  std::size_t searched = 0;
  for (;;) {
    const char* start = buffer_.data() + begin_;
    const void* found = std::memchr(start + searched, line_end_, end_ - begin_ - searched);
    if (found || (at_end_ && begin_ < end_)) {
      const std::size_t length = found ? std::size_t(static_cast<const char*>(found) - start) : end_ - begin_;
      line = {start, length};
      while (line.ends_with('\r')) line.remove_suffix(1);
      begin_ += std::min(length + 1, end_ - begin_);
      ++number_;
      return true;
    }
    if (at_end_) return false;

    searched = end_ - begin_;
    std::memmove(buffer_.data(), start, searched);
    begin_ = 0;
    end_ = searched;
    if (end_ == buffer_.size()) {
      require_reading_memory(context_, 2.0 * double(buffer_.size()), name());
      buffer_.resize(2 * buffer_.size());
    }
    const std::size_t wanted = std::min(kLineChunk, buffer_.size() - end_);
    const std::size_t got = source_.read(buffer_.data() + end_, wanted);
    at_end_ = got < wanted;
    end_ += got;
  }
}

void LineReader::fail_at(long long line, const std::string& sentence) const {
  throw Error(ErrorCode::bad_file, fmt::format("{}, line {}: {}", name(), line, sentence));
}

}  // namespace ritz::detail
