// SPDX-License-Identifier: MIT
#pragma once

#include <zlib.h>

#include <new>
#include <ostream>
#include <streambuf>
#include <vector>

namespace ritz::detail {

// Compresses what is written to it into another stream. The header carries neither time nor name: same content, same
// bytes. finish() must be called; a failure of the stream below shows in its state.
class GzipBuffer final : public std::streambuf {
 public:
  explicit GzipBuffer(std::ostream& below) : below_(below) {
    constexpr int kGzipWindow = 15 + 16;  // zlib's way of asking for a gzip header
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
    setp(in_.data(), in_.data() + in_.size());
  }
  GzipBuffer(const GzipBuffer&) = delete;
  GzipBuffer& operator=(const GzipBuffer&) = delete;
  ~GzipBuffer() override { deflateEnd(&stream_); }
  void finish() { deflate_pending(Z_FINISH); }

 protected:
  int_type overflow(int_type c) override {
    deflate_pending(Z_NO_FLUSH);
    if (!below_) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }

 private:
  void deflate_pending(int mode) {
    stream_.next_in = reinterpret_cast<Bytef*>(pbase());
    stream_.avail_in = uInt(pptr() - pbase());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = uInt(out_.size());
      deflate(&stream_, mode);
      below_.write(out_.data(), std::streamsize(out_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0 && below_);
    setp(in_.data(), in_.data() + in_.size());
  }

  static constexpr std::size_t kBufferBytes = 64 * 1024;
  std::ostream& below_;
  z_stream stream_{};
  std::vector<char> in_ = std::vector<char>(kBufferBytes), out_ = in_;
};

}  // namespace ritz::detail
