// SPDX-License-Identifier: MIT
#include <array>
#include <string>
#include <vector>

#include "backends/cpu/sweeps.hpp"
#include "backends/cuda/backend.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz {

Backend& cpu_backend() {
  static cpu::CpuBackend backend;
  return backend;
}

std::span<Backend* const> backends() {
  static cuda::CudaBackend cuda(cuda::Policy::always);
  static const std::array<Backend*, 2> all = {&cpu_backend(), &cuda};
  return all;
}

std::shared_ptr<Backend> backend_for_run(std::string_view name) {
  if (name == "auto") return std::make_shared<cuda::CudaBackend>(cuda::Policy::when_it_pays);
  if (name == "cuda") return std::make_shared<cuda::CudaBackend>(cuda::Policy::always);
  return {std::shared_ptr<void>(), &backend_named(name)};
}

Backend& backend_named(std::string_view name) {
  std::vector<std::string> names = {"auto"};
  for (Backend* backend : backends()) {
    if (backend->name() == name) return *backend;
    names.emplace_back(backend->name());
  }
  throw Error(ErrorCode::bad_option,
              "backend \"" + std::string(name) + "\" is not part of this build" + suggestion(name, names));
}

Backend& backend_or_cpu(const RunContext& context) { return context.backend ? *context.backend : cpu_backend(); }

}  // namespace ritz
