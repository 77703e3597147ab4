// SPDX-License-Identifier: MIT
#include "data/streams/zip_archive.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "data/streams/growing_values.hpp"
#include "data/streams/line_reader.hpp"

namespace ritz::detail {

namespace {

constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // "the number stands in the ZIP64 field"
constexpr std::size_t kZipChunk = 64 * 1024;
constexpr std::uint64_t kLargestDirectory = 64 * 1024 * 1024;

std::uint64_t little(const char* bytes, int count) {
  std::uint64_t value = 0;
  for (int k = count - 1; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(bytes[k]);
  return value;
}

[[noreturn]] void damaged(const std::string& name, std::string_view what) {
  throw Error(ErrorCode::bad_file, fmt::format("{}: the ZIP archive is damaged: {}", name, what));
}

// Stored: hands the bytes through. Deflated: unpacks them. Both check size and checksum at the end.
class MemberFeed final : public ByteFeed {
 public:
  MemberFeed(const RandomBytes& bytes, const ZipMember& member, std::uint64_t offset)
      : bytes_(bytes), member_(member), offset_(offset), packed_left_(member.packed_size), left_(member.size) {
    if (deflated()) {
      packed_.resize(kZipChunk);
      if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    }
  }
  MemberFeed(const MemberFeed&) = delete;
  MemberFeed& operator=(const MemberFeed&) = delete;
  ~MemberFeed() override {
    if (deflated()) inflateEnd(&stream_);
  }

  std::size_t read(char* out, std::size_t count) override {
    const std::size_t wanted = std::size_t(std::min<std::uint64_t>(count, left_));
    if (wanted == 0) return 0;
    if (deflated()) {
      unpack(out, wanted);
    } else {
      bytes_.read(offset_, out, wanted);
      offset_ += wanted;
    }
    for (std::size_t at = 0; at < wanted; at += kZipChunk)
      checksum_ = crc32(checksum_, reinterpret_cast<const Bytef*>(out + at), uInt(std::min(kZipChunk, wanted - at)));
    left_ -= wanted;
    if (left_ == 0 && checksum_ != member_.checksum)
      damaged(bytes_.name(), fmt::format("the checksum of '{}' is wrong", member_.name));
    return wanted;
  }

  std::optional<std::uint64_t> remaining() const override {
    if (deflated()) return std::nullopt;  // claimed, not proven
    return left_;
  }

 private:
  bool deflated() const { return member_.method != 0; }

  void unpack(char* out, std::size_t wanted) {
    for (std::size_t done = 0; done < wanted;) {
      if (stream_.avail_in == 0) refill();
      stream_.next_out = reinterpret_cast<Bytef*>(out + done);
      stream_.avail_out = uInt(std::min(wanted - done, std::size_t(1) << 30));
      const uInt room = stream_.avail_out;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      done += room - stream_.avail_out;
      const bool short_end = result == Z_STREAM_END && done < wanted;
      const bool dry = stream_.avail_in == 0 && packed_left_ == 0 && done < wanted;
      if (short_end || dry || (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR))
        damaged(bytes_.name(), fmt::format("'{}' cannot be unpacked", member_.name));
    }
  }

  void refill() {
    const std::size_t count = std::size_t(std::min<std::uint64_t>(kZipChunk, packed_left_));
    bytes_.read(offset_, packed_.data(), count);
    offset_ += count;
    packed_left_ -= count;
    stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
    stream_.avail_in = uInt(count);
  }

  const RandomBytes& bytes_;
  ZipMember member_;
  std::uint64_t offset_, packed_left_, left_;
  uLong checksum_ = crc32(0, nullptr, 0);
  std::vector<char> packed_;
  z_stream stream_{};
};

struct Directory {
  std::uint64_t offset, size;
};

Directory find_directory(const RandomBytes& bytes) {
  constexpr std::size_t kEndRecord = 22, kLongestComment = 65535, kLocator = 20;
  const std::uint64_t size = bytes.size();
  std::string tail(std::size_t(std::min<std::uint64_t>(size, kEndRecord + kLongestComment)), '\0');
  bytes.read(size - tail.size(), tail.data(), tail.size());
  const std::size_t at =
      tail.size() < kEndRecord ? std::string::npos : tail.rfind("PK\x05\x06", tail.size() - kEndRecord);
  if (at == std::string::npos) damaged(bytes.name(), "its directory is missing; the file may be cut short");
  Directory directory{little(&tail[at + 16], 4), little(&tail[at + 12], 4)};
  const std::uint64_t end_record = size - tail.size() + at;
  if ((directory.offset == kIn64 || directory.size == kIn64) && end_record >= kLocator) {
    std::array<char, kLocator> locator;
    bytes.read(end_record - kLocator, locator.data(), locator.size());
    if (little(locator.data(), 4) != 0x07064b50) damaged(bytes.name(), "its ZIP64 directory is missing");
    std::array<char, 56> record;
    bytes.read(little(&locator[8], 8), record.data(), record.size());
    if (little(record.data(), 4) != 0x06064b50) damaged(bytes.name(), "its ZIP64 directory is missing");
    directory = {little(&record[48], 8), little(&record[40], 8)};
  }
  if (directory.size > std::min(size, kLargestDirectory) || directory.offset > size - directory.size)
    damaged(bytes.name(), "its directory lies outside the file");
  return directory;
}

// The 64-bit numbers that did not fit, in the order of the fields that say so.
void read_zip64(ZipMember& member, std::string_view extra) {
  while (extra.size() >= 4) {
    const std::size_t length = std::size_t(little(&extra[2], 2));
    std::string_view body = extra.substr(4, length);
    if (little(extra.data(), 2) == 1)
      for (std::uint64_t* number : {&member.size, &member.packed_size, &member.header_offset})
        if (*number == kIn64 && body.size() >= 8) {
          *number = little(body.data(), 8);
          body.remove_prefix(8);
        }
    extra.remove_prefix(std::min(extra.size(), 4 + length));
  }
}

std::vector<ZipMember> read_directory(const RandomBytes& bytes) {
  constexpr std::size_t kFixed = 46;
  const Directory directory = find_directory(bytes);
  std::string text(std::size_t(directory.size), '\0');
  bytes.read(directory.offset, text.data(), text.size());
  std::vector<ZipMember> members;
  for (std::string_view rest = text; rest.size() >= kFixed && little(rest.data(), 4) == 0x02014b50;) {
    const auto field = [&](std::size_t at, int count) { return little(&rest[at], count); };
    ZipMember member;
    member.flags = unsigned(field(8, 2));
    member.method = unsigned(field(10, 2));
    member.checksum = std::uint32_t(field(16, 4));
    member.packed_size = field(20, 4);
    member.size = field(24, 4);
    member.header_offset = field(42, 4);
    const std::size_t name = std::size_t(field(28, 2)), extra = std::size_t(field(30, 2)),
                      comment = std::size_t(field(32, 2));
    if (rest.size() < kFixed + name + extra + comment) damaged(bytes.name(), "its directory is cut short");
    member.name = rest.substr(kFixed, name);
    read_zip64(member, rest.substr(kFixed + name, extra));
    members.push_back(std::move(member));
    rest.remove_prefix(kFixed + name + extra + comment);
  }
  return members;
}

}  // namespace

RandomBytes::RandomBytes(ByteSource& source, const RunContext& context) : source_(source) {
  if (source.feed().random_access()) {
    size_ = *source.remaining();
    return;
  }
  for (;;) {
    context.poll();
    const std::size_t before = copy_.size();
    const std::size_t more = std::max<std::size_t>(kZipChunk, before / 2);
    require_reading_memory(context, double(before + more), source.name());
    copy_.resize(before + more);
    const std::size_t got = source.read(copy_.data() + before, more);
    copy_.resize(before + got);
    if (got < more) break;
  }
  size_ = copy_.size();
}

void RandomBytes::read(std::uint64_t offset, char* out, std::size_t count) const {
  if (offset > size_ || count > size_ - offset) damaged(name(), "a part lies outside the file");
  if (copy_.empty())
    source_.feed().read_at(offset, out, count);
  else
    std::copy_n(copy_.begin() + std::ptrdiff_t(offset), count, out);
}

ZipArchive::ZipArchive(ByteSource& source, const RunContext& context)
    : bytes_(source, context), members_(read_directory(bytes_)) {}

ByteSource ZipArchive::open(const ZipMember& member) const {
  constexpr std::size_t kFixed = 30;
  const std::string name = fmt::format("{}, array {}", bytes_.name(), excerpt(member.name));
  if (member.flags & 1) throw Error(ErrorCode::unsupported, name + ": encrypted archives cannot be read");
  if (member.method != 0 && member.method != 8)
    throw Error(ErrorCode::unsupported, fmt::format("{}: ZIP method {} cannot be read", name, member.method));
  std::array<char, kFixed> header;
  bytes_.read(member.header_offset, header.data(), header.size());
  if (little(header.data(), 4) != 0x04034b50) damaged(bytes_.name(), "a member does not begin where it should");
  const std::uint64_t start = member.header_offset + kFixed + little(&header[26], 2) + little(&header[28], 2);
  if (start > bytes_.size() || member.packed_size > bytes_.size() - start)
    damaged(bytes_.name(),
            fmt::format("{} claims {} bytes, more than there are", excerpt(member.name), member.packed_size));
  if (member.method == 0 && member.size != member.packed_size)
    damaged(bytes_.name(), fmt::format("{} has two different sizes", excerpt(member.name)));
  return {name, std::make_unique<MemberFeed>(bytes_, member, start)};
}

}  // namespace ritz::detail
