// SPDX-License-Identifier: MIT
#include "data/stored/scratch_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "ritz/base/error.hpp"

namespace ritz::detail {

namespace {

std::string scratch_folder() {
  std::error_code error;
  const auto folder = std::filesystem::temp_directory_path(error);
  return error ? "/tmp" : folder.string();
}

class ScratchStore final : public RowStore {
 public:
  ScratchStore(std::shared_ptr<const ScratchFile> file, std::uint64_t offset, const ElementType& element, Index cols)
      : file_(std::move(file)), offset_(offset), element_(element), cols_(cols) {}

  void read(Range rows, double* out) const override {
    const std::size_t row = std::size_t(cols_) * std::size_t(element_.bytes);
    const std::uint64_t at = offset_ + std::uint64_t(rows.begin) * row;
    if (element_.kind == ElementKind::floating && element_.bytes == 8 && element_.order == ByteOrder::little)
      return file_->read_at(at, out, row * std::size_t(rows.size()));
    std::vector<char> bytes(row * std::size_t(rows.size()));
    file_->read_at(at, bytes.data(), bytes.size());
    decode(element_, bytes.data(), std::size_t(rows.size() * cols_), out);
  }

 private:
  std::shared_ptr<const ScratchFile> file_;
  std::uint64_t offset_;
  ElementType element_;
  Index cols_;
};

}  // namespace

ScratchFile::ScratchFile() {
  const std::string folder = scratch_folder();
  descriptor_ = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ < 0) {  // a file system that has no files without names
    std::string name = folder + "/ritz-XXXXXX";
    descriptor_ = mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ >= 0) unlink(name.c_str());
  }
  if (descriptor_ < 0)
    throw Error(ErrorCode::unwritable,
                fmt::format("samples that memory cannot hold need a temporary file, and {} takes none: {}; another "
                            "folder is given by TMPDIR",
                            folder, std::strerror(errno)));
}

ScratchFile::~ScratchFile() { close(descriptor_); }

void ScratchFile::append(const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = pwrite(descriptor_, from, bytes, off_t(size_));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0)
      throw Error(ErrorCode::write_failed,
                  fmt::format("the temporary file of the samples in {} could not be written: {}; another folder is "
                              "given by TMPDIR",
                              scratch_folder(), std::strerror(done < 0 ? errno : ENOSPC)));
    from += done;
    bytes -= std::size_t(done);
    size_ += std::uint64_t(done);
  }
}

void ScratchFile::read_at(std::uint64_t offset, void* out, std::size_t bytes) const {
  char* into = static_cast<char*>(out);
  while (bytes > 0) {
    const ssize_t got = pread(descriptor_, into, bytes, off_t(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      throw Error(ErrorCode::bad_file, fmt::format("the temporary file of the samples cannot be read: {}",
                                                   got < 0 ? std::strerror(errno) : "it ends too early"));
    into += got;
    offset += std::uint64_t(got);
    bytes -= std::size_t(got);
  }
}

StoredRows rows_in(std::shared_ptr<const ScratchFile> file, std::uint64_t offset, const ElementType& element,
                   Index rows, Index cols) {
  return {std::make_shared<ScratchStore>(std::move(file), offset, element, cols), rows, cols};
}

}  // namespace ritz::detail
