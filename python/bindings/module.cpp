// SPDX-License-Identifier: MIT
#include "bindings/module.hpp"

#include "ritz/base/version.hpp"
#include "ritz/pairs/backend.hpp"

PYBIND11_MODULE(_core, m) {
  namespace py = pybind11;
  m.doc() = "The library, as the package's own modules use it.";
  ritz::python::translate_errors();
  ritz::python::bind_tasks(m);
  ritz::python::bind_data(m);
  ritz::python::bind_metrics(m);
  m.def("version", [] { return std::string(ritz::version()); });
  m.def("backends", [] {
    py::list all;
    for (const ritz::Backend* each : ritz::backends())
      all.append(py::make_tuple(std::string(each->name()), each->available(), std::string(each->description())));
    return all;
  });
}
