// SPDX-License-Identifier: MIT
// Fits every task of the table to drawn data, and does with the model what can be done with one.
#include <cstdio>
#include <memory>
#include <ritz/ritz.hpp>
#include <ritz/tasks/task.hpp>
#include <string>
#include <vector>

namespace {

// The bases of a drawn collection of subspaces, which stand side by side.
std::vector<ritz::NamedMatrix> subspaces() {
  const ritz::Generated set = ritz::generate("nested-ball", {.samples = 30}, 0);
  std::vector<ritz::NamedMatrix> bases;
  ritz::Index at = 0;
  for (const ritz::NamedMatrix& each : set.extra)
    if (each.name == "dims")
      for (ritz::Index i = 0; i < each.values.rows(); ++i) {
        const auto columns = ritz::Index(each.values(i, 0));
        bases.push_back({"s" + std::to_string(i), set.data.dense().middleCols(at, columns)});
        at += columns;
      }
  return bases;
}

ritz::TaskCall call_of(const std::string& verb) {
  const ritz::Generated set = ritz::generate("moons", {.samples = 90}, 0);
  ritz::TaskCall call;
  if (verb == "center")
    call.inputs.others["bases"] = subspaces();
  else
    call.inputs.data.data = std::make_shared<ritz::Dataset>(set.data);
  if (verb == "reduce" || verb == "center") call.options = {{"dim", "2"}};
  if (verb == "recluster") {
    call.options = {{"clusters", "2"}};
    call.inputs.others["given"] = set.labels.front().labels;
  }
  if (verb == "kernel") call.options = {{"fraction", "0.5"}};
  if (verb == "unfold") call.options = {{"connect", "true"}};
  if (verb == "isometry") call.options = {{"distortion", "0.3"}};
  if (verb == "depend") call.options = {{"permutations", "19"}};
  return call;
}

bool works(const ritz::Task& task) {
  const ritz::TaskCall call = call_of(task.verb);
  ritz::RunContext context;
  const ritz::TaskOutcome found = task.fit(call, context);
  const ritz::ModelFile model = found.model();
  const bool holds = task.check(model, call.inputs, {}, context).holds;
  ritz::Index dimensions = 0;  // a test of dependence has none
  if (call.inputs.data.data && task.transform)
    dimensions = task.transform(model, *call.inputs.data.data, context).cols();
  std::printf("%-10s %s after %d iterations, %d dimensions, its certificate %s\n", task.verb.c_str(),
              found.summary.converged() ? "converged" : "stopped", found.summary.iterations, int(dimensions),
              holds ? "holds" : "fails");
  return found.summary.converged() && holds && found.json.find("\"verb\"") != std::string::npos;
}

}  // namespace

int main() {
  int failed = 0;
  for (const ritz::Task& task : ritz::tasks())
    if (!works(task)) ++failed;
  return failed;
}
