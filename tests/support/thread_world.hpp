// SPDX-License-Identifier: MIT
// Ranks that are threads of one process.
#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/world.hpp"

namespace ritz::testing {

struct Mail {
  std::mutex mutex;
  std::condition_variable arrived;
  std::map<std::pair<int, int>, std::deque<std::string>> waiting;  // by sender and receiver
  bool failed = false;
};

class ThreadWorld final : public World {
 public:
  ThreadWorld(int rank, int size, Mail& mail) : rank_(rank), size_(size), mail_(mail) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void send(int to, const void* data, std::size_t bytes) override {
    const std::lock_guard lock(mail_.mutex);
    mail_.waiting[{rank_, to}].emplace_back(static_cast<const char*>(data), bytes);
    mail_.arrived.notify_all();
  }
  void receive(int from, void* data, std::size_t bytes) override {
    std::unique_lock lock(mail_.mutex);
    auto& queue = mail_.waiting[{from, rank_}];
    mail_.arrived.wait(lock, [&] { return !queue.empty() || mail_.failed; });
    if (queue.empty()) throw RankFailed{"another rank failed", 1};
    if (queue.front().size() != bytes) throw std::logic_error("a message of another size");
    std::memcpy(data, queue.front().data(), bytes);
    queue.pop_front();
  }
  void watch(std::atomic<bool>&) override {}
  void fail(const std::string&, int) override {
    const std::lock_guard lock(mail_.mutex);
    mail_.failed = true;
    mail_.arrived.notify_all();
  }
  void finish(int) override {}

 private:
  int rank_, size_;
  Mail& mail_;
};

// work(context, rank) at every rank, each on a thread of its own; the first rank's exception is rethrown.
inline void on_ranks(int size, const RunContext& context, const std::function<void(const RunContext&, int)>& work) {
  Mail mail;
  std::vector<std::thread> threads;
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      ThreadWorld world(rank, size, mail);
      RunContext own = context;
      own.world = &world;
      try {
        work(own, rank);
      } catch (const RankFailed&) {
      } catch (...) {
        failures[std::size_t(rank)] = std::current_exception();
        world.fail("", 1);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace ritz::testing
