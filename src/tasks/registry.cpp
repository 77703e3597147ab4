// SPDX-License-Identifier: MIT
// The table of tasks: a line each.
#include "ritz/base/error.hpp"
#include "ritz/tasks/task.hpp"

namespace ritz {

Task center_task();
Task isometry_task();
Task kernel_task();
Task recluster_task();
Task reduce_task();
Task unfold_task();

namespace {

std::vector<Task>& table() {
  static std::vector<Task> all = {reduce_task(), recluster_task(), kernel_task(),
                                  unfold_task(), isometry_task(),  center_task()};
  return all;
}

}  // namespace

const std::vector<Task>& tasks() { return table(); }

void register_task(Task task) { table().push_back(std::move(task)); }

const Task& task_named(std::string_view verb) {
  std::vector<std::string> known;
  for (const Task& task : tasks()) {
    if (task.verb == verb) return task;
    known.push_back(task.verb);
  }
  throw Error(ErrorCode::bad_option, "there is no task '" + std::string(verb) + "'" + suggestion(verb, known));
}

const Task& task_of(const ModelFile& model) {
  for (const Task& task : tasks())
    if (task.method == model.method) return task;
  throw Error(ErrorCode::bad_file, "the model is of a method that this version does not know: '" + model.method + "'");
}

}  // namespace ritz
