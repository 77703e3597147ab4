// SPDX-License-Identifier: MIT
// libritz_mpi.so: the ranks of an mpirun, by point-to-point messages. Nothing waits inside MPI: a rank that waits for
// another one looks at the same time for news of a failure, so that none waits for a rank that has left.
#include <mpi.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/world.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLargestMessage = std::size_t(1) << 30;  // MPI counts in int
constexpr int kDataTag = 1, kNewsTag = 2;
constexpr auto kBetweenLooks = std::chrono::milliseconds(20);
constexpr auto kGrace = std::chrono::seconds(3);  // until a rank that does not react to a failure is ended

struct News {
  int failed = 0;  // otherwise: cancelled
  int status = 0;
  std::array<char, 2000> sentence{};
};

void sleep_for(long nanoseconds) {
  const timespec pause{0, nanoseconds};
  nanosleep(&pause, nullptr);
}

class MpiWorld final : public ritz::World {
 public:
  MpiWorld() {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
    threaded_ = provided == MPI_THREAD_MULTIPLE;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm_dup(MPI_COMM_WORLD, &data_);
    MPI_Comm_dup(MPI_COMM_WORLD, &news_);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &neighbours_);
    MPI_Comm_free(&here);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int ranks_here() const override { return neighbours_; }

  void send(int to, const void* data, std::size_t bytes) override {
    in_parts(bytes, [&](std::size_t at, int count, MPI_Request* request) {
      MPI_Isend(static_cast<const char*>(data) + at, count, MPI_BYTE, to, kDataTag, data_, request);
    });
  }
  void receive(int from, void* data, std::size_t bytes) override {
    in_parts(bytes, [&](std::size_t at, int count, MPI_Request* request) {
      MPI_Irecv(static_cast<char*>(data) + at, count, MPI_BYTE, from, kDataTag, data_, request);
    });
  }

  void watch(std::atomic<bool>& cancel) override {
    cancel_ = &cancel;
    if (!threaded_) return;
    watcher_ = std::thread([this] {
      while (!ended_.load()) {
        look();
        std::this_thread::sleep_for(kBetweenLooks);
      }
    });
  }

  void fail(const std::string& sentence, int status) override {
    News news{1, status, {}};
    std::strncpy(news.sentence.data(), sentence.c_str(), news.sentence.size() - 1);
    tell(news);
  }

  // MPI's end waits for all ranks: not for ever.
  void finish(int status) override {
    ended_ = true;
    if (watcher_.joinable()) watcher_.join();
    std::thread([status] {
      std::this_thread::sleep_for(2 * kGrace);
      std::_Exit(status);
    }).detach();
    MPI_Finalize();
  }

 private:
  int rank_ = 0, size_ = 1, neighbours_ = 1;
  bool threaded_ = false;
  MPI_Comm data_ = MPI_COMM_NULL, news_ = MPI_COMM_NULL;
  std::thread watcher_;
  std::atomic<bool> ended_ = false, failed_ = false;
  std::atomic<bool>* cancel_ = nullptr;
  std::mutex mutex_;  // of what follows
  bool told_ = false;
  News failure_;
  Clock::time_point failed_at_;

  template <class Start>
  void in_parts(std::size_t bytes, const Start& start) {
    for (std::size_t at = 0; at < bytes; at += kLargestMessage) {
      MPI_Request request = MPI_REQUEST_NULL;
      start(at, int(std::min(kLargestMessage, bytes - at)), &request);
      wait_for(request);
    }
  }

  // At first without a pause, for what comes at once; ever longer ones leave the core to ranks that compute.
  void wait_for(MPI_Request& request) {
    constexpr int kSpins = 200;
    for (long looks = 0;; ++looks) {
      int done = 0;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done) return;
      if (!threaded_) look();
      if (failed_.load()) {
        const std::lock_guard lock(mutex_);
        throw ritz::RankFailed{failure_.sentence.data(), failure_.status};
      }
      if (looks > kSpins) sleep_for(looks < 20 * kSpins ? 20'000 : 500'000);
    }
  }

  // Tells of a Ctrl-C here, and takes what others tell.
  void look() {
    bool tells = false;
    {
      const std::lock_guard lock(mutex_);
      if (cancel_ && cancel_->load() && !told_) tells = told_ = true;
    }
    if (tells) tell({});
    int waiting = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, kNewsTag, news_, &waiting, MPI_STATUS_IGNORE);
    const std::lock_guard lock(mutex_);
    if (waiting) {
      News news;
      MPI_Recv(&news, sizeof news, MPI_BYTE, MPI_ANY_SOURCE, kNewsTag, news_, MPI_STATUS_IGNORE);
      told_ = told_ || !news.failed;  // the sender tells all
      if (!news.failed) {
        if (cancel_) cancel_->store(true);
      } else if (!failed_) {
        failure_ = news;
        failed_at_ = Clock::now();
        failed_ = true;
      }
    }
    if (failed_ && Clock::now() > failed_at_ + kGrace) {  // in the midst of something long
      const std::string sentence = std::string("ritz: ") + failure_.sentence.data() + "\n";
      (void)!write(STDERR_FILENO, sentence.data(), sentence.size());
      std::_Exit(failure_.status);
    }
  }

  void tell(const News& news) {
    std::vector<MPI_Request> requests;
    for (int to = 0; to < size_; ++to) {
      if (to == rank_) continue;
      requests.emplace_back();
      MPI_Isend(&news, sizeof news, MPI_BYTE, to, kNewsTag, news_, &requests.back());
    }
    // Small messages leave at once; for one to a rank that is gone nobody waits.
    const auto limit = Clock::now() + kGrace;
    for (int done = 0; !done && Clock::now() < limit; sleep_for(100'000))
      MPI_Testall(int(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
  }
};

}  // namespace

// Null where the module is of another version than the program.
extern "C" ritz::World* ritz_world(const char* version) {
  if (std::strcmp(version, RITZ_VERSION) != 0) return nullptr;
  static MpiWorld* world = new MpiWorld;  // ended by finish(), not at exit
  return world;
}
