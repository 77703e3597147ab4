// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "data/formats/raw_array.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz::detail {

// A file without a name in the folder for temporary ones ($TMPDIR): it is gone when the program is, however it ends.
class ScratchFile {
 public:
  ScratchFile();  // throws unwritable
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();

  void append(const void* data, std::size_t bytes);  // throws write_failed
  void read_at(std::uint64_t offset, void* out, std::size_t bytes) const;
  std::uint64_t size() const { return size_; }

 private:
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// Elements of one type, row after row, from an offset of a scratch file on.
StoredRows rows_in(std::shared_ptr<const ScratchFile> file, std::uint64_t offset, const ElementType& element,
                   Index rows, Index cols);
inline constexpr ElementType kOwnElement = {ElementKind::floating, 8, ByteOrder::little};

}  // namespace ritz::detail
