// SPDX-License-Identifier: MIT
// The part of ZIP that NumPy writes: stored and deflated members, found through the central directory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/streams/byte_source.hpp"
#include "ritz/base/context.hpp"

namespace ritz::detail {

// Bytes at any offset: of a plain file where they lie, of anything else from a copy in memory.
class RandomBytes {
 public:
  RandomBytes(ByteSource& source, const RunContext& context);
  std::uint64_t size() const { return size_; }
  void read(std::uint64_t offset, char* out, std::size_t count) const;  // throws bad_file beyond the end
  const std::string& name() const { return source_.name(); }

 private:
  ByteSource& source_;
  std::vector<char> copy_;
  std::uint64_t size_ = 0;
};

struct ZipMember {
  std::string name;
  unsigned method = 0, flags = 0;
  std::uint32_t checksum = 0;
  std::uint64_t packed_size = 0, size = 0, header_offset = 0;
};

class ZipArchive {
 public:
  ZipArchive(ByteSource& source, const RunContext& context);  // the source must stand at its beginning
  const std::vector<ZipMember>& members() const { return members_; }
  // The unpacked content, checked against its checksum at its end. Lives no longer than the archive.
  ByteSource open(const ZipMember& member) const;

 private:
  RandomBytes bytes_;
  std::vector<ZipMember> members_;
};

}  // namespace ritz::detail
