// SPDX-License-Identifier: MIT
// Tasks of every kind at once in one process: what one does is none of another's business. Under ThreadSanitizer each
// of them has one thread of its own, for it does not see how OpenMP's threads wait for each other.
#include <doctest/doctest.h>

#include <thread>

#include "ritz/base/random.hpp"
#include "ritz/tasks/task.hpp"

using namespace ritz;

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

// The numbers that the model holds.
std::map<std::string, Matrix> arrays_of(const Job& job) {
  RunContext context;
  context.threads = 1;
  return task_named(job.verb).fit(job.call, context).model().arrays;
}

}  // namespace

TEST_CASE("tasks of every kind at once find what each finds alone") {
  const std::vector<Job> all = jobs();
  std::vector<std::map<std::string, Matrix>> alone, together(2 * all.size());
  for (const Job& job : all) alone.push_back(arrays_of(job));

  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < together.size(); ++k)
    threads.emplace_back([&, k] { together[k] = arrays_of(all[k % all.size()]); });
  for (std::thread& thread : threads) thread.join();

  for (std::size_t k = 0; k < together.size(); ++k) {
    CAPTURE(all[k % all.size()].verb);
    CHECK(together[k] == alone[k % all.size()]);
  }
}
