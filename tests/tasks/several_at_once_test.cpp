// SPDX-License-Identifier: MIT
// Tasks of every kind at once in one process: what one does is none of another's business, nor of the process they run
// in. `./run threads` has this file under ThreadSanitizer.
#include <doctest/doctest.h>
#include <omp.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"
#include "ritz/tasks/task.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;

extern "C" int openblas_get_num_threads(void) __attribute__((weak));

namespace {

struct Job {
  const char* verb;
  TaskCall call;
};

std::vector<Job> jobs() {
  Rng rng(1, "app/at once");
  auto data = std::make_shared<Dataset>();
  RowMatrix X = rng.normal_matrix(40, 4);
  X.topRows(20).col(0).array() += 4;
  data->samples = X;
  data->feature_names = {"a", "b", "c", "d"};
  data->source = "drawn";
  data->labels.names = {"p", "q"};
  for (int i = 0; i < 40; ++i) data->labels.of.push_back(i < 20 ? 0 : 1);
  std::vector<NamedMatrix> bases;
  for (int k = 0; k < 5; ++k) bases.push_back({"s" + std::to_string(k), rng.normal_matrix(6, 2)});
  const auto call = [&](std::map<std::string, std::string> options) {
    TaskCall made;
    made.options = std::move(options);
    made.inputs.data.data = data;
    return made;
  };
  std::vector<Job> all{{"reduce", call({{"dim", "2"}, {"kernel", "gaussian(sigma=1)"}, {"scale", "standard"}})},
                       {"recluster", call({{"clusters", "2"}})},
                       {"kernel", call({{"fraction", "0.4"}, {"neighbours", "5"}})},
                       {"unfold", call({{"dim", "2"}, {"neighbours", "5"}, {"connect", "true"}})},
                       {"isometry", call({{"distortion", "0.3"}})},
                       {"center", TaskCall{}},
                       {"depend", call({{"permutations", "19"}})}};
  all[1].call.inputs.others["given"] = data->labels;
  all[5].call.options = {{"dim", "1"}};
  all[5].call.inputs.others["bases"] = bases;
  return all;
}

// Of a task: the numbers that its model holds, what it makes of the samples, what a check says of them.
struct Found {
  std::map<std::string, Matrix> arrays;
  RowMatrix image;
  bool holds = true, has_page = false;
  bool operator==(const Found& other) const {
    return arrays == other.arrays && image.rows() == other.image.rows() && image.cols() == other.image.cols() &&
           image == other.image && holds == other.holds && has_page == other.has_page;
  }
};

Found found_by(const Job& job, int threads) {
  RunContext context;
  context.threads = threads;
  const Task& task = task_named(job.verb);
  const ModelFile model = task.fit(job.call, context).model();
  Found found{.arrays = model.arrays, .image = {}};
  if (task.transform && job.call.inputs.data.data)
    found.image = task.transform(model, *job.call.inputs.data.data, context);
  if (task.check) found.holds = task.check(model, job.call.inputs, {}, context).holds;
  if (task.report) found.has_page = !task.report(model, nullptr, context).empty();
  return found;
}

std::vector<Found> all_at_once(const std::vector<Job>& jobs, std::size_t copies, int threads) {
  std::vector<Found> found(copies * jobs.size());
  std::vector<std::thread> running;
  for (std::size_t k = 0; k < found.size(); ++k)
    running.emplace_back([&, k] { found[k] = found_by(jobs[k % jobs.size()], threads); });
  for (std::thread& thread : running) thread.join();
  return found;
}

// What belongs to the process: a library leaves it as it was.
struct Surroundings {
  std::vector<std::string> environment;
  std::string locale, folder;
  int rounding = fegetround(), omp_threads = omp_get_max_threads(), omp_nested = omp_get_max_active_levels();
  int blas_threads = openblas_get_num_threads ? openblas_get_num_threads() : 0;
  std::vector<void*> handlers;

  Surroundings() : locale(setlocale(LC_ALL, nullptr)), folder(std::filesystem::current_path().string()) {
    for (char** variable = environ; *variable; ++variable) environment.emplace_back(*variable);
    for (int number = 1; number < SIGRTMIN; ++number) {
      struct sigaction now {};
      if (sigaction(number, nullptr, &now) == 0) handlers.push_back(reinterpret_cast<void*>(now.sa_handler));
    }
  }
  bool operator==(const Surroundings&) const = default;
};

// What is written to a descriptor while it lives.
class Overheard {
 public:
  explicit Overheard(int file) : file_(file), before_(dup(file)), to_(std::tmpfile()) {
    std::fflush(nullptr);
    dup2(fileno(to_), file_);
  }
  Overheard(const Overheard&) = delete;
  Overheard& operator=(const Overheard&) = delete;
  ~Overheard() {
    end();
    std::fclose(to_);
  }
  Index bytes() {
    end();
    return Index(lseek(fileno(to_), 0, SEEK_END));
  }

 private:
  void end() {
    if (before_ < 0) return;
    std::fflush(nullptr);
    dup2(before_, file_);
    close(before_);
    before_ = -1;
  }
  int file_, before_;
  std::FILE* to_;
};

}  // namespace

TEST_CASE("tasks of every kind at once find what each finds alone") {
  const std::vector<Job> all = jobs();
  std::vector<Found> alone;
  for (const Job& job : all) alone.push_back(found_by(job, 1));

  for (const int threads : {1, 2}) {
    const std::vector<Found> together = all_at_once(all, 2, threads);
    for (std::size_t k = 0; k < together.size(); ++k) {
      CAPTURE(all[k % all.size()].verb);
      CAPTURE(threads);
      CHECK(together[k] == alone[k % all.size()]);
    }
  }
}

TEST_CASE("every task is among those that run at once") {
  std::vector<std::string> here;
  for (const Job& job : jobs()) here.push_back(job.verb);

  for (const Task& task : tasks()) CHECK(std::ranges::count(here, task.verb) == 1);
}

TEST_CASE("tasks print nothing and leave the process as it was") {
  const std::vector<Job> all = jobs();
  found_by(all[0], 2);  // libraries below set up what is theirs at the first call
  std::srand(7);
  const int drawn = std::rand();
  std::srand(7);
  std::setlocale(LC_NUMERIC, "C");
  const Surroundings before;

  Index said = 0;
  {
    Overheard out(STDOUT_FILENO), err(STDERR_FILENO);
    all_at_once(all, 1, 2);
    for (Job job : all) {  // a call that is refused, too
      job.call.options["seed of doubt"] = "1";
      RunContext context;
      CHECK_THROWS_AS(task_named(job.verb).fit(job.call, context), Error);
    }
    said = out.bytes() + err.bytes();
  }

  CHECK(said == 0);
  CHECK(before == Surroundings());
  CHECK(std::rand() == drawn);
}
