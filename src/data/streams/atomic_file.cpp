// SPDX-License-Identifier: MIT
// Files that appear whole or not at all.
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>

#include "data/silence.hpp"
#include "ritz/base/error.hpp"
#include "ritz/data/io.hpp"

namespace ritz {

namespace {

[[noreturn]] void unwritable(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::unwritable,
              fmt::format("cannot write {}: {}", path == "-" ? "standard output" : path, reason));
}

// A write that fails when the name was fine: a full disk, a quota, a broken pipe.
[[noreturn]] void not_written(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::write_failed,
              fmt::format("cannot write {}: {}", path == "-" ? "standard output" : path, reason));
}

class DescriptorBuffer final : public std::streambuf {
 public:
  DescriptorBuffer(int descriptor, const RunContext& context) : descriptor_(descriptor), context_(context) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }
  int error() const { return error_; }  // errno of the first failure, 0 when there was none
  std::exception_ptr interrupted() const { return interrupted_; }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override {
    try {  // a stream would swallow it, and only say that it failed
      context_.poll();
    } catch (...) {
      interrupted_ = std::current_exception();
      error_ = EINTR;
    }
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
  const RunContext& context_;
  int error_ = 0;
  std::exception_ptr interrupted_;
  std::array<char, 64 * 1024> buffer_;
};

void fill_descriptor(int descriptor, const std::string& path, const std::function<void(std::ostream&)>& fill,
                     const RunContext& context) {
  const auto buffer = std::make_unique<DescriptorBuffer>(descriptor, context);
  std::ostream out(buffer.get());
  fill(out);
  out.flush();
  if (buffer->interrupted()) std::rethrow_exception(buffer->interrupted());
  if (buffer->error() != 0) not_written(path, std::strerror(buffer->error()));
  if (!out) not_written(path, "the content could not be produced");
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// ".NAME.": how the temporary names of a target begin. They go on with numbers and end in ".tmp".
std::string temporary_prefix(const std::string& target) {
  return std::string(".").append(target, target.find_last_of('/') + 1, 200).append(".");
}

// Removes what writers of this target left that were killed: their temporary files, which a living writer holds locked.
void remove_leftovers(const std::string& target) {
  const std::string folder = folder_of(target), prefix = temporary_prefix(target);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), &closedir);
  while (const dirent* entry = entries ? readdir(entries.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (!name.starts_with(prefix) || !name.ends_with(".tmp") || name.size() < prefix.size() + 4) continue;
    const std::string_view numbers = name.substr(prefix.size(), name.size() - prefix.size() - 4);
    if (numbers.empty() || numbers.find_first_not_of("0123456789.") != std::string_view::npos) continue;
    const std::string path = folder + "/" + std::string(name);
    const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    struct stat status {};
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
      unlink(path.c_str());
    close(descriptor);
  }
}

// A new file beside the target, gone again unless it is renamed to it. It is locked as long as it is open.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target) : target_(target) {
    static std::atomic<unsigned> counter{0};
    for (int attempt = 0; attempt < 100 && descriptor_ < 0; ++attempt) {
      path_ = fmt::format("{}/{}{}.{}.tmp", folder_of(target), temporary_prefix(target), getpid(), counter++);
      descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) break;
      if (descriptor_ >= 0 && !is_ours()) close(std::exchange(descriptor_, -1));
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
    if (fsync(descriptor_) != 0 && errno != EINVAL) not_written(target_, std::strerror(errno));
    if (rename(path_.c_str(), target_.c_str()) != 0) not_written(target_, std::strerror(errno));  // locked as yet
    path_.clear();
    if (close(std::exchange(descriptor_, -1)) != 0) not_written(target_, std::strerror(errno));
    const int folder = open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    fsync(folder);  // so that the new name outlives a power cut; some file systems cannot, and the file is whole anyway
    close(folder);
  }

 private:
  // False where another run took it for a leftover between its making and its locking. A file system that knows no
  // locks has no leftovers removed either.
  bool is_ours() const {
    struct stat status {};
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    return fstat(descriptor_, &status) != 0 || status.st_nlink > 0;
  }

  std::string target_, path_;
  int descriptor_ = -1;
};

enum class TargetKind { file, device };

// Where a link that points to no file yet points to.
std::string followed(std::string path) {
  constexpr int kMostLinks = 40;
  std::array<char, 4096> text;
  for (int step = 0; step < kMostLinks; ++step) {
    const ssize_t size = readlink(path.c_str(), text.data(), text.size());
    if (size <= 0 || std::size_t(size) == text.size()) break;
    const std::string to(text.data(), std::size_t(size));
    path = to.starts_with('/') ? to : folder_of(path) + "/" + to;
  }
  return path;
}

// A link stays a link: its target is what gets replaced, or made. A device or a pipe must not be replaced by a file.
TargetKind resolve(std::string& path) {
  if (path.empty()) throw Error(ErrorCode::unwritable, "the name of the file to write is empty");
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) unwritable(path, "it is a directory");
    if (!S_ISREG(status.st_mode)) return TargetKind::device;
    const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), &std::free);
    if (real) path = real.get();
  } else if (errno == ELOOP || errno == ENAMETOOLONG) {  // the temporary name beside it would be fine
    unwritable(path, std::strerror(errno));
  } else if (path.ends_with('/')) {
    unwritable(path, "it names a directory");
  } else {
    path = followed(path);
  }
  return TargetKind::file;
}

}  // namespace

namespace {
std::atomic<bool> writes_files = true;
}

void write_no_files() { writes_files = false; }

void write_atomically(const std::string& path, const std::function<void(std::ostream&)>& fill,
                      const RunContext& context) {
  if (!writes_files) return;
  if (path == "-") return fill_descriptor(STDOUT_FILENO, path, fill, context);
  std::string target = path;
  if (resolve(target) == TargetKind::device) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) unwritable(path, std::strerror(errno));
    const std::unique_ptr<const int, void (*)(const int*)> closer(&descriptor, [](const int* d) { close(*d); });
    return fill_descriptor(descriptor, path, fill, context);
  }
  TemporaryFile file(target);
  fill_descriptor(file.descriptor(), path, fill, context);
  file.become_target();
}

void require_writable(const std::string& path) {
  if (path == "-" || !writes_files) return;
  std::string target = path;
  if (resolve(target) == TargetKind::device) {
    if (access(path.c_str(), W_OK) != 0) unwritable(path, std::strerror(errno));
    return;
  }
  remove_leftovers(target);
  const TemporaryFile probe(target);  // permissions, quotas and read-only mounts all say no here, and only here
}

}  // namespace ritz
