// SPDX-License-Identifier: MIT
// The table of tasks: a line each.
#include "tasks/center/task.hpp"
#include "tasks/depend/task.hpp"
#include "tasks/isometry/task.hpp"
#include "tasks/kernel/task.hpp"
#include "tasks/recluster/task.hpp"
#include "tasks/reduce/task.hpp"
#include "tasks/unfold/task.hpp"

namespace ritz {

namespace {

std::vector<Task>& table() {
  static std::vector<Task> all = {make_task<reduce::ReduceTask>(),     make_task<recluster::ReclusterTask>(),
                                  make_task<kernel::KernelTask>(),     make_task<unfold::UnfoldTask>(),
                                  make_task<isometry::IsometryTask>(), make_task<center::CenterTask>(),
                                  make_task<depend::DependTask>()};
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
