// SPDX-License-Identifier: MIT
#include "ritz/base/archive.hpp"

#include <cstring>

#include "ritz/base/error.hpp"

namespace ritz {

void Archive::require(bool plausible) {
  if (!plausible) throw Error(ErrorCode::bad_file, "what was kept of the run does not fit it");
}

void Archive::plain(void* data, std::size_t size) {
  if (size == 0) return;
  if (!restores_) {
    bytes_.append(static_cast<const char*>(data), size);
    return;
  }
  require(size <= left_.size());
  std::memcpy(data, left_.data(), size);
  left_.remove_prefix(size);
}

std::size_t Archive::count(std::size_t size) {
  std::uint64_t number = size;
  plain(&number, sizeof number);
  require(!restores_ || number <= left_.size());
  return std::size_t(number);
}

void keep(Archive& archive, std::string& text) {
  text.resize(archive.count(text.size()));
  archive.plain(text.data(), text.size());
}

void keep(Archive& archive, SparseRows& matrix) {
  matrix.makeCompressed();
  Index rows = matrix.rows(), cols = matrix.cols();
  const auto count = std::size_t(matrix.nonZeros());
  std::vector<int> begin(matrix.outerIndexPtr(), matrix.outerIndexPtr() + rows + 1),
      columns(matrix.innerIndexPtr(), matrix.innerIndexPtr() + count);
  std::vector<double> values(matrix.valuePtr(), matrix.valuePtr() + count);
  archive(rows, cols, begin, columns, values);
  if (archive.restores())
    matrix =
        Eigen::Map<const SparseRows>(rows, cols, Index(values.size()), begin.data(), columns.data(), values.data());
}

}  // namespace ritz
