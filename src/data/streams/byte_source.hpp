// SPDX-License-Identifier: MIT
// A stream of bytes from a file, a gzipped file, standard input or a part of an archive: the parsers do not care which.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/error.hpp"

namespace ritz::detail {

// Where the bytes come from.
class ByteFeed {
 public:
  virtual ~ByteFeed() = default;
  virtual std::size_t read(char* out, std::size_t count) = 0;  // fewer than asked only at the end
  // Bytes still to come where that is certain before reading them: a plain file, not a compressed one.
  virtual std::optional<std::uint64_t> remaining() const { return std::nullopt; }
  // Reads at an offset from the beginning without moving the stream. Only where random_access() holds.
  virtual bool random_access() const { return false; }
  virtual void read_at(std::uint64_t, char*, std::size_t) {}
};

class ByteSource {
 public:
  ByteSource(std::string name, std::unique_ptr<ByteFeed> feed);

  const std::string& name() const { return name_; }  // for messages
  // The next bytes, at least `count` of them unless the stream ends before; they stay in the stream.
  std::string_view peek(std::size_t count);
  std::size_t read(char* out, std::size_t count);  // fewer than asked only at the end
  void read_exactly(char* out, std::size_t count, std::string_view what);
  std::optional<std::uint64_t> remaining() const;
  std::uint64_t position() const { return position_; }
  ByteFeed& feed() { return *feed_; }

  // Throws bad_file: "NAME: the sentence".
  [[noreturn]] void fail(const std::string& sentence) const;

 private:
  std::string name_;
  std::unique_ptr<ByteFeed> feed_;
  std::vector<char> ahead_;  // read but not yet handed out: [ahead_begin_, ahead_end_)
  std::size_t ahead_begin_ = 0, ahead_end_ = 0;
  std::uint64_t position_ = 0;
};

// Opens a path; gzipped content is unpacked on the way, and UTF-16 with a byte order mark becomes UTF-8. Throws
// bad_file for what is missing, a folder, unreadable or empty.
ByteSource open_source(const std::string& path);

}  // namespace ritz::detail
