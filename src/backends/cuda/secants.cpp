// SPDX-License-Identifier: MIT
#include "backends/secant_products.hpp"

#include <limits>

#include "backends/cuda/backend.hpp"

namespace ritz {

namespace {

using device::DeviceSamples;
using device::Table;

class CudaSecants final : public SecantProducts {
 public:
  CudaSecants(cuda::CudaBackend& backend, const RowMatrix& points, const std::vector<Index>& a,
              const std::vector<Index>& b, const std::vector<double>& scale, const RunContext& context)
      : backend_(backend), points_(Samples(points), {0, points.rows()}, context), count_(Index(a.size())) {
    const std::vector<int> from(a.begin(), a.end()), to(b.begin(), b.end());
    device::run(context, [&](const Table& table) {
      return table.set_secants(points_.get(), count_, from.data(), to.data(), scale.data());
    });
  }
  std::optional<Vector> measured(BlockIn B, const RunContext& context) override { return values(B, false, context); }
  std::optional<Vector> measured_by(BlockIn P, const RunContext& context) override { return values(P, true, context); }
  std::optional<Matrix> adjoint_times(const Vector& y, BlockIn B, const RunContext& context) override {
    const Matrix given = B;
    Matrix out(B.rows(), B.cols());
    return done(context, std::move(out), [&](const Table& table, Matrix& to) {
      return table.secant_adjoint(points_.get(), y.data(), given.data(), given.cols(), to.data());
    });
  }

 private:
  cuda::CudaBackend& backend_;
  DeviceSamples points_;
  Index count_;

  std::optional<Vector> values(BlockIn B, bool whole, const RunContext& context) {
    const Matrix given = B;
    return done(context, Vector(count_), [&](const Table& table, Vector& to) {
      return table.secant_values(points_.get(), given.data(), given.cols(), whole, to.data());
    });
  }
  template <class Out, class Call>
  std::optional<Out> done(const RunContext& context, Out out, const Call& call) {
    using Found = std::optional<Out>;
    return backend_.either(
        std::numeric_limits<double>::infinity(), nullptr, context,
        [&]() -> Found {
          device::run(context, [&](const Table& table) { return call(table, out); });
          return std::move(out);
        },
        []() -> Found { return std::nullopt; });
  }
};

}  // namespace

std::unique_ptr<SecantProducts> backend_secants(const RowMatrix& points, const std::vector<Index>& a,
                                                const std::vector<Index>& b, const std::vector<double>& scale,
                                                const RunContext& context) {
  constexpr double kLeast = 2e5;  // numbers of the points: below, a call of the card takes as long as the cores
  auto* backend = dynamic_cast<cuda::CudaBackend*>(context.backend);
  if (!backend || !backend->in_use() || double(points.size()) < kLeast) return nullptr;
  using Found = std::unique_ptr<SecantProducts>;
  return backend->either(
      std::numeric_limits<double>::infinity(), nullptr, context,
      [&]() -> Found { return std::make_unique<CudaSecants>(*backend, points, a, b, scale, context); },
      []() -> Found { return nullptr; });
}

}  // namespace ritz
