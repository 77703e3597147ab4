// SPDX-License-Identifier: MIT
// Every task by its verb: one fit, one kind of outcome, one kind of model.
#include <filesystem>

#include "bindings/files.hpp"
#include "bindings/module.hpp"

namespace ritz::python {

namespace {

using Texts = std::map<std::string, std::string>;
using Names = std::vector<std::string>;

struct Fitted {
  TaskOutcome outcome;
  py::object error;                          // None, or what ended the run early
  std::map<std::string, std::string> texts;  // outputs of FileForm::text, and the labels of several views, by file name
};

RunWords run_words(const py::dict& run) {
  RunWords words;
  const auto take = [&](const char* name, auto& value) {
    if (run.contains(name) && !run[name].is_none()) value = run[name].cast<std::decay_t<decltype(value)>>();
  };
  take("threads", words.threads);
  take("seed", words.seed);
  take("max_memory", words.max_memory);
  take("time_limit", words.time_limit);
  take("backend", words.backend);
  take("observer", words.observer);
  return words;
}

Fitted fit(const std::string& verb, const Texts& options, const py::object& X, const Names& feature_names,
           const std::optional<Names>& labels, const py::dict& inputs, const py::dict& run) {
  const Task& task = task_named(verb);
  TaskCall call{options, inputs_of(X, feature_names, labels, inputs), {}};
  const PassingFolder folder;
  for (const OutputRow& row : task.outputs) {
    const bool asked = (row.kind != "suggestions" || options.contains("suggest")) && row.kind != "report";
    if ((row.form == FileForm::text && asked) || (row.form == FileForm::labels && options.contains("views")))
      call.files[row.kind] = folder.path_of(row.kind + ".txt");
  }
  Session session(run_words(run));
  Fitted fitted;
  try {
    fitted.outcome = session.run([&] { return task.fit(call, session.context()); });
  } catch (const Interrupted&) {  // before there was a result
    session.raise_error();
    throw;
  }
  for (const auto& [kind, path] : fitted.outcome.files)
    fitted.texts[std::filesystem::path(path).filename().string()] = bytes_of(path);
  fitted.error = session.error();
  return fitted;
}

ModelFile model_from_bytes(const py::bytes& bytes) {
  const PassingFolder folder;
  const std::string path = folder.path_of("the_pickled_model");
  put_bytes(path, bytes);
  return load_model(path);
}

py::bytes model_bytes(const ModelFile& model) {
  const PassingFolder folder;
  const std::string path = folder.path_of("model");
  save_model(path, model);
  return bytes_of(path);
}

template <class Work>
auto quietly(const py::dict& run, Work work) {
  Session session(run_words(run));
  try {
    auto result = session.run([&] { return work(session.context()); });
    session.raise_error();
    return result;
  } catch (const Interrupted&) {
    session.raise_error();
    throw;
  }
}

py::array_t<double> transform(const ModelFile& model, const py::object& X, const py::dict& run) {
  const Task& task = task_of(model);
  if (!task.transform) throw Error(ErrorCode::unsupported, "models of '" + task.verb + "' do not place new samples");
  const auto data = dataset_of(X, {}, {});
  return to_numpy(quietly(run, [&](const RunContext& context) { return task.transform(model, *data, context); }));
}

py::tuple predict(const ModelFile& model, const py::object& X, Index neighbours, const py::dict& run) {
  const Task& task = task_of(model);
  if (!task.predict) throw Error(ErrorCode::unsupported, "models of '" + task.verb + "' have no labels to give");
  const auto data = dataset_of(X, {}, {});
  PredictOptions how;
  how.neighbours = neighbours;
  const Prediction found =
      quietly(run, [&](const RunContext& context) { return task.predict(model, *data, how, context); });
  return to_numpy(found.labels) + py::make_tuple(found.rule);
}

py::tuple check(const ModelFile& model, const py::object& X, const std::optional<Names>& labels, const py::dict& inputs,
                const std::string& curvature, const py::dict& run) {
  const Task& task = task_of(model);
  const Inputs given = inputs_of(X, {}, labels, inputs);
  CheckOptions how;
  set(how, "curvature", curvature);
  const CheckOutcome found =
      quietly(run, [&](const RunContext& context) { return task.check(model, given, how, context); });
  return py::make_tuple(found.holds, found.status, in_python(found.text), found.json);
}

std::string report(const ModelFile& model, const py::object& X, const Names& feature_names,
                   const std::optional<Names>& labels, const py::dict& run) {
  const Task& task = task_of(model);
  const std::shared_ptr<const Dataset> data = X.is_none() ? nullptr : dataset_of(X, feature_names, labels);
  return quietly(run, [&](const RunContext& context) { return task.report(model, data.get(), context); });
}

py::tuple estimate(const std::string& verb, const Texts& options, const Texts& sizes, const py::dict& run) {
  const Task& task = task_named(verb);
  const Forecast found = quietly(run, [&](const RunContext& context) {
    return task.forecast({options, {}, {}}, sizes, context);
  });
  return py::make_tuple(found.bytes, found.fits, in_python(found.text));
}

}  // namespace

void bind_tasks(py::module_& m) {
  py::class_<Fitted>(m, "Fitted")
      .def_property_readonly("json", [](const Fitted& f) { return f.outcome.json; })
      .def_property_readonly("text", [](const Fitted& f) { return in_python(f.outcome.text); })
      .def_property_readonly("error", [](const Fitted& f) { return f.error; })
      .def_property_readonly("texts", [](const Fitted& f) { return f.texts; })
      .def("matrix", [](const Fitted& f, const std::string& kind) { return to_numpy(f.outcome.matrix(kind)); })
      .def("labels", [](const Fitted& f, const std::string& kind) { return to_numpy(f.outcome.labels(kind)); })
      .def("model", [](const Fitted& f) { return f.outcome.model(); });

  py::class_<ModelFile>(m, "Model")
      .def_static("load",
                  [](const std::string& path) {
                    const py::gil_scoped_release free;
                    return load_model(path);
                  })
      .def("save",
           [](const ModelFile& model, const std::string& path) {
             const py::gil_scoped_release free;
             save_model(path, model);
           })
      .def(py::pickle(&model_bytes, &model_from_bytes))
      .def_property_readonly("method", [](const ModelFile& model) { return model.method; })
      .def_property_readonly("verb", [](const ModelFile& model) { return task_of(model).verb; })
      .def_property_readonly("info", [](const ModelFile& model) { return model.info; })
      .def_property_readonly("names",
                             [](const ModelFile& model) {
                               Names names;
                               for (const auto& [name, array] : model.arrays) names.push_back(name);
                               return names;
                             })
      .def("array",
           [](const ModelFile& model, const std::string& name) {
             const auto found = model.arrays.find(name);
             if (found == model.arrays.end()) throw py::key_error(name);
             return to_numpy(Matrix(found->second));
           })
      .def("transform", &transform, py::arg("X"), py::arg("run"))
      .def("predict", &predict, py::arg("X"), py::arg("neighbours"), py::arg("run"))
      .def("report", &report, py::arg("X"), py::arg("feature_names"), py::arg("labels"), py::arg("run"))
      .def("check", &check, py::arg("X"), py::arg("labels"), py::arg("inputs"), py::arg("curvature"), py::arg("run"));

  m.def("fit", &fit, py::arg("verb"), py::arg("options"), py::arg("X"), py::arg("feature_names"), py::arg("labels"),
        py::arg("inputs"), py::arg("run"));
  m.def("goal", [](const std::string& verb, const Texts& options) { return task_named(verb).goal({options, {}, {}}); });
  m.def("estimate", &estimate, py::arg("verb"), py::arg("options"), py::arg("sizes"), py::arg("run"));
}

}  // namespace ritz::python
