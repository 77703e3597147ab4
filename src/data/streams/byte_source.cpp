// SPDX-License-Identifier: MIT
#include "data/streams/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "data/source_names.hpp"
#include "data/streams/zip_archive.hpp"

namespace ritz::detail {

namespace {

// zlib's own file reader: it passes plain bytes through and joins the members of a gzip file.
class ZlibFeed final : public ByteFeed {
 public:
  ZlibFeed(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {
    struct stat status {};
    const off_t start = lseek(descriptor_, 0, SEEK_CUR);
    if (fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode) && start >= 0) {
      start_ = std::uint64_t(start);
      size_ = std::uint64_t(std::max<off_t>(status.st_size - start, 0));
    }
    file_ = gzdopen(descriptor_, "rb");
    if (!file_) {
      close(descriptor_);
      throw Error(ErrorCode::memory, name_ + ": no memory for the read buffer");
    }
    gzbuffer(file_, 256 * 1024);
    plain_ = gzdirect(file_) != 0;
  }
  ZlibFeed(const ZlibFeed&) = delete;
  ZlibFeed& operator=(const ZlibFeed&) = delete;
  ~ZlibFeed() override { gzclose(file_); }

  std::size_t read(char* out, std::size_t count) override {
    constexpr std::size_t kMost = std::size_t(1) << 30;  // gzread counts in int
    std::size_t done = 0;
    while (done < count) {
      const int got = gzread(file_, out + done, unsigned(std::min(count - done, kMost)));
      if (got > 0) done += std::size_t(got);
      if (got <= 0) {
        check_end(got);
        break;
      }
    }
    given_ += done;
    return done;
  }

  std::optional<std::uint64_t> remaining() const override {
    if (!plain_ || !size_) return std::nullopt;
    return *size_ > given_ ? *size_ - given_ : 0;
  }

  bool random_access() const override { return plain_ && size_; }

  void read_at(std::uint64_t offset, char* out, std::size_t count) override {
    std::size_t done = 0;
    while (done < count) {
      const ssize_t got = pread(descriptor_, out + done, count - done, off_t(start_ + offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw Error(ErrorCode::bad_file, fmt::format("cannot read {}: {}", name_, std::strerror(errno)));
      if (got == 0) throw Error(ErrorCode::bad_file, name_ + ": the file became shorter while it was read");
      done += std::size_t(got);
    }
  }

 private:
  void check_end(int got) const {
    int code = Z_OK;
    const char* message = gzerror(file_, &code);
    if (code == Z_ERRNO)
      throw Error(ErrorCode::bad_file, fmt::format("cannot read {}: {}", name_, std::strerror(errno)));
    if (code == Z_BUF_ERROR) throw Error(ErrorCode::bad_file, name_ + ": the gzip data ends too early");
    if (got < 0) throw Error(ErrorCode::bad_file, fmt::format("{}: the gzip data is damaged ({})", name_, message));
  }

  std::string name_;
  int descriptor_;
  gzFile file_ = nullptr;
  bool plain_ = true;
  std::uint64_t start_ = 0;
  std::optional<std::uint64_t> size_;
  std::uint64_t given_ = 0;
};

// Text of two bytes a character, as Windows writes it, becomes UTF-8.
class WideFeed final : public ByteFeed {
 public:
  WideFeed(ByteSource source, bool little, bool marked) : source_(std::move(source)), little_(little) {
    char mark[2];
    if (marked) source_.read(mark, sizeof mark);
  }

  std::size_t read(char* out, std::size_t count) override {
    while (ready_.size() < count && more_) fill();
    const std::size_t given = std::min(count, ready_.size());
    std::copy_n(ready_.data(), given, out);
    ready_.erase(0, given);
    return given;
  }

 private:
  static constexpr std::size_t kChunk = 64 * 1024;

  void fill() {
    std::string bytes(kChunk, '\0');
    bytes.resize(source_.read(bytes.data(), kChunk));
    more_ = bytes.size() == kChunk;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
      const auto low = static_cast<unsigned char>(bytes[i + (little_ ? 0 : 1)]);
      const auto high = static_cast<unsigned char>(bytes[i + (little_ ? 1 : 0)]);
      take_unit(unsigned(high) << 8 | low);
    }
  }

  void take_unit(unsigned unit) {
    if (unit >= 0xD800 && unit < 0xDC00) {
      first_ = unit;  // of two
      return;
    }
    const bool second = unit >= 0xDC00 && unit < 0xE000;
    append_utf8(second && first_ ? 0x10000 + ((first_ - 0xD800) << 10) + (unit - 0xDC00)
                : second         ? 0xFFFD
                                 : unit,
                ready_);
    first_ = 0;
  }

  ByteSource source_;
  bool little_, more_ = true;
  unsigned first_ = 0;
  std::string ready_;
};

constexpr std::size_t kWideSample = 64;

// UTF-16 without a byte order mark: every other byte of the first lines is zero, and the others are of a text.
bool is_wide(std::string_view sample, bool little) {
  sample = sample.substr(0, std::min(kWideSample, sample.size() - sample.size() % 2));
  for (std::size_t i = 0; i < sample.size(); i += 2) {
    const char text = sample[i + (little ? 0 : 1)], zero = sample[i + (little ? 1 : 0)];
    if (zero != 0 || !(text == '\t' || text == '\n' || text == '\r' || (text >= ' ' && text < 0x7F))) return false;
  }
  return sample.size() >= 8;
}

// A ZIP archive of a table, as pandas and people make them: no NPZ, no spreadsheet. Only of a file that can be read at
// any place.
bool holds_tables(ByteSource& source) {
  constexpr std::size_t kName = 30;
  const std::string_view head = source.peek(4096);
  if (!head.starts_with("PK\x03\x04") || !source.feed().random_access() || head.size() < kName) return false;
  const auto length =
      std::size_t(static_cast<unsigned char>(head[26])) | std::size_t(static_cast<unsigned char>(head[27])) << 8;
  const std::string_view name = head.substr(kName, length);
  constexpr std::string_view kOthers[] = {".npy", ".xml", ".rels", "mimetype"};
  return !name.empty() && std::ranges::none_of(kOthers, [&](std::string_view end) { return name.ends_with(end); });
}

// The one table of an archive.
class MemberOfZip final : public ByteFeed {
 public:
  explicit MemberOfZip(ByteSource source)
      : source_(std::move(source)), archive_(source_, context_), member_(archive_.open(only_member())) {}

  std::size_t read(char* out, std::size_t count) override { return member_.read(out, count); }

 private:
  ByteSource source_;
  RunContext context_;
  ZipArchive archive_;
  ByteSource member_;

  const ZipMember& only_member() const {
    std::vector<const ZipMember*> tables;
    std::vector<std::string> names;
    for (const ZipMember& each : archive_.members())
      if (!each.name.ends_with('/') && !each.name.starts_with("__MACOSX/")) {
        tables.push_back(&each);
        if (names.size() < 3) names.push_back(excerpt(each.name));
      }
    if (tables.size() != 1)
      source_.fail(fmt::format("the archive holds {} files ({}{}); unpack it and give the one that is meant",
                               tables.size(), fmt::join(names, ", "), tables.size() > names.size() ? ", …" : ""));
    return *tables.front();
  }
};

}  // namespace

ByteSource::ByteSource(std::string name, std::unique_ptr<ByteFeed> feed)
    : name_(std::move(name)), feed_(std::move(feed)) {}

std::string_view ByteSource::peek(std::size_t count) {
  if (ahead_end_ - ahead_begin_ < count) {
    std::copy(ahead_.begin() + std::ptrdiff_t(ahead_begin_), ahead_.begin() + std::ptrdiff_t(ahead_end_),
              ahead_.begin());
    ahead_end_ -= ahead_begin_;
    ahead_begin_ = 0;
    if (ahead_.size() < count) ahead_.resize(count);
    ahead_end_ += feed_->read(ahead_.data() + ahead_end_, ahead_.size() - ahead_end_);
  }
  return {ahead_.data() + ahead_begin_, ahead_end_ - ahead_begin_};
}

std::size_t ByteSource::read(char* out, std::size_t count) {
  const std::size_t held = std::min(count, ahead_end_ - ahead_begin_);
  std::copy_n(ahead_.data() + ahead_begin_, held, out);
  ahead_begin_ += held;
  const std::size_t got = held + (held < count ? feed_->read(out + held, count - held) : 0);
  position_ += got;
  return got;
}

void ByteSource::read_exactly(char* out, std::size_t count, std::string_view what) {
  const std::size_t got = read(out, count);
  if (got < count) fail(fmt::format("the file is cut short: {} takes {} bytes, only {} are left", what, count, got));
}

std::optional<std::uint64_t> ByteSource::remaining() const {
  const auto after = feed_->remaining();
  if (!after) return std::nullopt;
  return *after + (ahead_end_ - ahead_begin_);
}

void ByteSource::fail(const std::string& sentence) const { throw Error(ErrorCode::bad_file, name_ + ": " + sentence); }

ByteSource open_source(const std::string& path) {
  if (path.empty()) throw Error(ErrorCode::bad_file, "the name of the file is empty");
  const std::string name = source_name(path);
  // A duplicate of standard input: closing the source must not close the program's own.
  const int descriptor = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    if (errno == ENOENT) throw Error(ErrorCode::bad_file, "no such file: " + name);
    throw Error(ErrorCode::bad_file, fmt::format("cannot open {}: {}", name, std::strerror(errno)));
  }
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor);
    throw Error(ErrorCode::bad_file, name + " is a directory");
  }
  ByteSource source(name, std::make_unique<ZlibFeed>(name, descriptor));
  if (source.peek(1).empty()) throw Error(ErrorCode::bad_file, name + " is empty");
  const std::string_view mark = source.peek(4).substr(0, 4);
  if (mark == std::string_view("\xFF\xFE\0\0", 4) || mark == std::string_view("\0\0\xFE\xFF", 4))
    source.fail("the text is UTF-32, which is not read; iconv -f UTF-32 -t UTF-8 FILE makes it UTF-8");
  if (mark.starts_with("\xFF\xFE") || mark.starts_with("\xFE\xFF")) {
    const bool little = mark[0] == '\xFF';
    return {name, std::make_unique<WideFeed>(std::move(source), little, true)};
  }
  for (const bool little : {true, false})
    if (is_wide(source.peek(kWideSample), little))
      return {name, std::make_unique<WideFeed>(std::move(source), little, false)};
  if (holds_tables(source)) return {name, std::make_unique<MemberOfZip>(std::move(source))};
  return source;
}

}  // namespace ritz::detail
