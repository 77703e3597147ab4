// SPDX-License-Identifier: MIT
#pragma once

#include <zlib.h>

#include <ostream>
#include <streambuf>
#include <vector>

namespace ritz::detail {

// Compresses what is written to it into another stream. The header carries neither time nor name: same content, same
// bytes. finish() must be called; a failure of the stream below shows in its state.
class GzipBuffer final : public std::streambuf {
 public:
  explicit GzipBuffer(std::ostream& below);
  GzipBuffer(const GzipBuffer&) = delete;
  GzipBuffer& operator=(const GzipBuffer&) = delete;
  ~GzipBuffer() override;
  void finish();

 protected:
  int_type overflow(int_type c) override;

 private:
  void deflate_pending(int mode);

  std::ostream& below_;
  z_stream stream_{};
  std::vector<char> in_, out_;
};

}  // namespace ritz::detail
