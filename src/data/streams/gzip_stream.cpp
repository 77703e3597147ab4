// SPDX-License-Identifier: MIT
#include "data/streams/gzip_stream.hpp"

#include <new>

namespace ritz::detail {

namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;
constexpr int kGzipWindow = 15 + 16;  // zlib's way of asking for a gzip header

}  // namespace

GzipBuffer::GzipBuffer(std::ostream& below) : below_(below), in_(kBufferBytes), out_(kBufferBytes) {
  if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  setp(in_.data(), in_.data() + in_.size());
}

GzipBuffer::~GzipBuffer() { deflateEnd(&stream_); }

GzipBuffer::int_type GzipBuffer::overflow(int_type c) {
  deflate_pending(Z_NO_FLUSH);
  if (!below_) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

void GzipBuffer::finish() { deflate_pending(Z_FINISH); }

void GzipBuffer::deflate_pending(int mode) {
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

}  // namespace ritz::detail
