// SPDX-License-Identifier: MIT
#include "base/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <thread>
#include <utility>

#include "ritz/base/error.hpp"

extern char** environ;

namespace ritz {

namespace {

constexpr int kPatience = 50;                    // milliseconds between two looks at the context
constexpr std::size_t kLongestOutput = 1 << 20;  // a program that prints without end must not fill our memory

[[noreturn]] void cannot_start(const std::string& program, int reason) {
  throw Error(ErrorCode::unsupported, fmt::format("cannot start {}: {}", program, std::strerror(reason)));
}

class Pipe {
 public:
  explicit Pipe(const std::string& program) {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) cannot_start(program, errno);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(ends_[0]);
    close_writing();
  }
  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) close(std::exchange(ends_[1], -1));
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// Not yet waited for: killed at the end of the scope.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (ended_) return;
    kill(id_, SIGKILL);
    while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  bool ended() {
    if (ended_) return true;
    const pid_t answer = waitpid(id_, &status_, WNOHANG);
    ended_ = answer == id_ || (answer < 0 && errno != EINTR);
    return ended_;
  }
  int status() const { return status_; }

 private:
  pid_t id_;
  int status_ = 0;
  bool ended_ = false;
};

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& more) {
  std::vector<std::string> all;
  for (char** each = environ; each && *each; ++each) {
    const std::string_view text = *each;
    const bool replaced = std::ranges::any_of(more, [&](const auto& setting) {
      return text.size() > setting.first.size() && text.starts_with(setting.first) && text[setting.first.size()] == '=';
    });
    if (!replaced) all.emplace_back(text);
  }
  for (const auto& [name, value] : more) all.push_back(fmt::format("{}={}", name, value));
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

pid_t spawned(const ChildCommand& command, int output) {
  std::vector<std::string> words{command.program}, settings = environment_with(command.environment);
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  posix_spawn_file_actions_t actions;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure != 0) cannot_start(command.program, failure);
  pid_t id = 0;
  if (!failure) failure = posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
  if (!failure) failure = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  if (!failure)
    failure =
        posix_spawn(&id, command.program.c_str(), &actions, nullptr, pointers(words).data(), pointers(settings).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) cannot_start(command.program, failure);
  return id;
}

enum class Taken { something, nothing, end };

Taken take_output(int descriptor, int milliseconds, std::string& output) {
  pollfd ready{descriptor, POLLIN, 0};
  if (poll(&ready, 1, milliseconds) <= 0) return Taken::nothing;
  std::array<char, 4096> part;
  const ssize_t count = read(descriptor, part.data(), part.size());
  if (count < 0) return errno == EINTR ? Taken::nothing : Taken::end;
  if (count > 0 && output.size() < kLongestOutput) output.append(part.data(), std::size_t(count));
  return count > 0 ? Taken::something : Taken::end;
}

}  // namespace

std::string program_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  if (!path) return "";
  const std::string_view folders = path;
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::filesystem::path folder = folders.substr(begin, end - begin);
    begin = end + 1;
    if (folder.empty()) continue;  // once meant the current folder: nobody wants that
    std::error_code failure;
    const auto file = std::filesystem::absolute(folder / name, failure);
    if (!failure && std::filesystem::is_regular_file(file, failure) && access(file.c_str(), X_OK) == 0)
      return file.string();
  }
  return "";
}

ChildEnd run_child(const ChildCommand& command, const RunContext& context) {
  context.poll();
  Pipe pipe(command.program);
  Child child(spawned(command, pipe.writing()));
  pipe.close_writing();
  ChildEnd end;
  for (;;) {
    const bool ended = child.ended();  // asked first: then all it ever wrote is in the pipe
    const Taken taken = take_output(pipe.reading(), ended ? 0 : kPatience, end.output);
    if (ended && taken != Taken::something) break;
    context.poll();
    // Its output is closed a moment before it ends, as a rule.
    if (taken == Taken::end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (WIFSIGNALED(child.status())) {
    context.poll();  // Ctrl-C in a terminal reaches both of us: then it is our own interruption
    end.signal = WTERMSIG(child.status());
  } else {
    end.code = WEXITSTATUS(child.status());
  }
  return end;
}

}  // namespace ritz
