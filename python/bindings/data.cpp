// SPDX-License-Identifier: MIT
// Synthetic sets, and files of all formats.
#include "bindings/module.hpp"
#include "ritz/data/io.hpp"
#include "ritz/data/synthetic.hpp"
#include "tasks/model/table.hpp"

namespace ritz::python {

namespace {

py::list named(std::vector<NamedMatrix> matrices) {
  py::list all;
  for (NamedMatrix& each : matrices) all.append(py::make_tuple(each.name, to_numpy(std::move(each.values))));
  return all;
}

// (X, feature names, [(name, (numbers, names))], [(name, array)])
py::tuple draw(const std::string& set, const std::map<std::string, std::string>& texts, std::uint64_t seed) {
  GenerateOptions options;
  for (const auto& [name, text] : texts) ritz::set(options, name, text);
  ritz::check(options);
  Generated made;
  {
    const py::gil_scoped_release free;
    made = generate(set, options, seed);
  }
  py::list labels;
  for (const NamedLabels& each : made.labels) labels.append(py::make_tuple(each.name, to_numpy(each.labels)));
  std::vector<std::string> names = made.data.feature_names;
  return py::make_tuple(to_python(std::move(made.data)), names, labels, named(std::move(made.extra)));
}

// (X, feature names, labels or None, names of the samples, notes)
py::tuple read_table(const std::string& path, const ReadOptions& options) {
  Session session({});
  Dataset data = session.run([&] { return read_dataset(path, options, session.context()); });
  const py::object labels = data.labels.size() > 0 ? py::object(to_numpy(data.labels)) : py::object(py::none());
  const std::vector<std::string> names = data.feature_names, ids = data.ids, notes = data.notes;
  return py::make_tuple(to_python(std::move(data)), names, labels, ids, notes);
}

}  // namespace

void bind_data(py::module_& m) {
  m.def("sets", [] {
    std::vector<std::pair<std::string, std::string>> all;
    for (const SyntheticSet& set : synthetic_sets()) all.emplace_back(set.name, set.description);
    return all;
  });
  m.def("generate", &draw);
  m.def("formats", [] {
    py::list all;
    for (const FormatFacts& each : formats())
      all.append(py::make_tuple(each.name, each.endings, each.writes_samples, each.help));
    return all;
  });
  m.def(
      "read_table",
      [](const std::string& path, const std::string& label_column, const std::vector<std::string>& drop_columns,
         const std::string& missing, const std::string& id_column, const std::vector<std::string>& columns,
         const std::vector<std::string>& kinds, const ModelFile* like) {
        ReadOptions options;
        if (like) options.recipe = stored_recipe(*like);
        options.label_column = label_column;
        options.drop_columns = drop_columns;
        options.id_column = id_column;
        options.columns = columns;
        options.kinds = kinds;
        const auto kind = TextForm<MissingValues>::parse(missing);
        if (!kind)
          throw Error(ErrorCode::bad_option,
                      "input.na: cannot read '" + missing + "'; expected " + TextForm<MissingValues>::kind());
        options.missing = *kind;
        return read_table(path, options);
      },
      py::arg("path"), py::arg("label_column"), py::arg("drop_columns"), py::arg("missing"), py::arg("id_column"),
      py::arg("columns"), py::arg("kinds"), py::arg("like"));
  m.def("read_labels", [](const std::string& path) {
    Session session({});
    return to_numpy(session.run([&] { return read_labels(path, session.context()); }));
  });
  m.def("read_matrices", [](const std::string& path) {
    Session session({});
    return named(session.run([&] { return read_matrices(path, session.context()); }));
  });
  m.def("write_matrix", [](const std::string& path, const Rows& values, const std::vector<std::string>& names) {
    require_matrix_format(path);
    write_matrix(path, Eigen::Map<const RowMatrix>(values.data(), values.shape(0), values.shape(1)), names);
  });
}

}  // namespace ritz::python
