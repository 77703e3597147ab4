// SPDX-License-Identifier: MIT
#include <array>
#include <string>
#include <vector>

#include "backends/cpu/sweeps.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz {

Backend& cpu_backend() {
  static cpu::CpuBackend backend;
  return backend;
}

std::span<Backend* const> backends() {
  static const std::array<Backend*, 1> all = {&cpu_backend()};
  return all;
}

Backend& backend_named(std::string_view name) {
  std::vector<std::string> names;
  for (Backend* backend : backends()) {
    if (backend->name() == name) return *backend;
    names.emplace_back(backend->name());
  }
  throw Error(ErrorCode::bad_option,
              "backend \"" + std::string(name) + "\" is not part of this build" + suggestion(name, names));
}

Backend& backend_or_cpu(const RunContext& context) { return context.backend ? *context.backend : cpu_backend(); }

}  // namespace ritz
