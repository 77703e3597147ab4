// SPDX-License-Identifier: MIT
// Files that appear whole or not at all.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>

#include "ritz/base/error.hpp"
#include "ritz/data/io.hpp"

namespace ritz {

namespace {

[[noreturn]] void unwritable(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::unwritable,
              fmt::format("cannot write {}: {}", path == "-" ? "standard output" : path, reason));
}

class DescriptorBuffer final : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }
  int error() const { return error_; }  // errno of the first failure, 0 when there was none

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override {
    const char* at = pbase();
    while (at != pptr() && error_ == 0) {
      const ssize_t written = ::write(descriptor_, at, std::size_t(pptr() - at));
      if (written >= 0)
        at += written;
      else if (errno != EINTR)
        error_ = errno;
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return error_ == 0 ? 0 : -1;
  }

 private:
  int descriptor_;
  int error_ = 0;
  std::array<char, 64 * 1024> buffer_;
};

void fill_descriptor(int descriptor, const std::string& path, const std::function<void(std::ostream&)>& fill) {
  const auto buffer = std::make_unique<DescriptorBuffer>(descriptor);
  std::ostream out(buffer.get());
  fill(out);
  out.flush();
  if (buffer->error() != 0) unwritable(path, std::strerror(buffer->error()));
  if (!out) unwritable(path, "the content could not be produced");
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// A new file beside the target, gone again unless it is renamed to it.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target) : target_(target) {
    static std::atomic<unsigned> counter{0};
    const std::string base = target.substr(target.find_last_of('/') + 1).substr(0, 200);
    for (int attempt = 0; attempt < 100 && descriptor_ < 0; ++attempt) {
      path_ = fmt::format("{}/.{}.{}.{}.tmp", folder_of(target), base, getpid(), counter++);
      descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) break;
    }
    if (descriptor_ >= 0) return;
    const int reason = errno;
    if (reason == ENOENT) unwritable(target, fmt::format("the folder {} does not exist", folder_of(target)));
    if (reason == ENOTDIR) unwritable(target, fmt::format("{} is not a folder", folder_of(target)));
    unwritable(target, std::strerror(reason));
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!path_.empty()) unlink(path_.c_str());
  }
  int descriptor() const { return descriptor_; }

  void become_target() {
    struct stat before {};
    if (stat(target_.c_str(), &before) == 0) (void)!fchmod(descriptor_, before.st_mode & 07777);
    if (fsync(descriptor_) != 0 && errno != EINVAL) unwritable(target_, std::strerror(errno));
    const int closed = close(std::exchange(descriptor_, -1));
    if (closed != 0) unwritable(target_, std::strerror(errno));
    if (rename(path_.c_str(), target_.c_str()) != 0) unwritable(target_, std::strerror(errno));
    path_.clear();
    const int folder = open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    fsync(folder);  // so that the new name outlives a power cut; some file systems cannot, and the file is whole anyway
    close(folder);
  }

 private:
  std::string target_, path_;
  int descriptor_ = -1;
};

enum class TargetKind { file, device };

// A link stays a link: its target is what gets replaced. A device or a pipe must not be replaced by a file.
TargetKind resolve(std::string& path) {
  if (path.empty()) throw Error(ErrorCode::unwritable, "the name of the file to write is empty");
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) unwritable(path, "it is a directory");
    if (!S_ISREG(status.st_mode)) return TargetKind::device;
    const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), &std::free);
    if (real) path = real.get();
  } else if (path.ends_with('/')) {
    unwritable(path, "it names a directory");
  }
  return TargetKind::file;
}

}  // namespace

void write_atomically(const std::string& path, const std::function<void(std::ostream&)>& fill) {
  if (path == "-") return fill_descriptor(STDOUT_FILENO, path, fill);
  std::string target = path;
  if (resolve(target) == TargetKind::device) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) unwritable(path, std::strerror(errno));
    const std::unique_ptr<const int, void (*)(const int*)> closer(&descriptor, [](const int* d) { close(*d); });
    return fill_descriptor(descriptor, path, fill);
  }
  TemporaryFile file(target);
  fill_descriptor(file.descriptor(), path, fill);
  file.become_target();
}

void require_writable(const std::string& path) {
  if (path == "-") return;
  std::string target = path;
  if (resolve(target) == TargetKind::device) {
    if (access(path.c_str(), W_OK) != 0) unwritable(path, std::strerror(errno));
    return;
  }
  const TemporaryFile probe(target);  // permissions, quotas and read-only mounts all say no here, and only here
}

}  // namespace ritz
