// SPDX-License-Identifier: MIT
// The sums over pairs on the card, or on the CPU where that is the place for them.
#include <limits>
#include <optional>

#include "backends/cpu/sweeps.hpp"
#include "backends/cuda/backend.hpp"

namespace ritz::cuda {

namespace {

using device::DeviceSamples;
using device::Table;

constexpr double kRepeats = 5;  // sums that a fit takes at least

class CudaPairSweep final : public PairSweep {
 public:
  CudaPairSweep(const Samples& X, CudaBackend& backend) : PairSweep(X), backend_(backend) {}

  void set_gamma(const SweepGamma& gamma) override {
    gamma_.emplace(gamma);
    gamma_is_up_ = false;
    if (cpu_) cpu_->set_gamma(gamma);
  }
  SweepSums sums(BlockIn W, const KernelSum& kernel, Precision precision, const RunContext& context) override {
    return either(
        W, kernel, kRepeats * (n() * d() + 40 * n()), context,
        [&](const Table& table, const device::Sweep& sweep) {
          SweepSums sums{Matrix(samples().cols(), samples().cols()), 0};
          ask(context,
              table.sums(samples_->get(), &sweep, precision == Precision::mixed, sums.phi.data(), &sums.objective));
          return sums;
        },
        [&](PairSweep& cpu) { return cpu.sums(W, kernel, precision, context); });
  }
  double objective(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    return either(
        W, kernel, small(W), context,
        [&](const Table& table, const device::Sweep& sweep) {
          double objective = 0;
          ask(context, table.sums(samples_->get(), &sweep, 0, nullptr, &objective));
          return objective;
        },
        [&](PairSweep& cpu) { return cpu.objective(W, kernel, context); });
  }
  PairGradient gradient(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    return either(
        W, kernel, small(W), context,
        [&](const Table& table, const device::Sweep& sweep) { return product(table, sweep, W, context); },
        [&](PairSweep& cpu) { return cpu.gradient(W, kernel, context); });
  }
  Matrix phi_product(BlockIn W, const KernelSum& kernel, BlockIn V, const RunContext& context) override {
    return either(
        W, kernel, small(W), context,
        [&](const Table& table, const device::Sweep& sweep) { return product(table, sweep, V, context).phi_W; },
        [&](PairSweep& cpu) { return cpu.phi_product(W, kernel, V, context); });
  }
  Matrix curvature_product(BlockIn W, const KernelSum& kernel, BlockIn E, const RunContext& context) override {
    return either(
        W, kernel, small(W), context,
        [&](const Table& table, const device::Sweep& sweep) {
          const Matrix directions = E;
          Matrix out(E.rows(), E.cols());
          ask(context,
              table.curvature_product(samples_->get(), &sweep, directions.data(), E.cols() / W.cols(), out.data()));
          return out;
        },
        [&](PairSweep& cpu) { return cpu.curvature_product(W, kernel, E, context); });
  }
  double curvature_bound(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    return either(
        W, kernel, n() * d(), context,
        [&](const Table& table, const device::Sweep& sweep) {
          double bound = 0;
          ask(context, table.curvature_bound(samples_->get(), &sweep, &bound));
          return bound;
        },
        [&](PairSweep& cpu) { return cpu.curvature_bound(W, kernel, context); });
  }
  RowMatrix kernel_product(BlockIn W, const KernelSum& kernel, DataView in, const RunContext& context) override {
    return either(
        W, kernel, small(W), context,
        [&](const Table& table, const device::Sweep& sweep) {
          const RowMatrix given = in;
          RowMatrix out(in.rows(), in.cols());
          ask(context, table.kernel_product(samples_->get(), &sweep, given.data(), in.cols(), out.data()));
          return out;
        },
        [&](PairSweep& cpu) { return cpu.kernel_product(W, kernel, in, context); });
  }
  std::string place() const override { return samples_ ? device::device().facts.name : cpu_ ? cpu_->place() : "cpu"; }
  double usable_error() const override { return samples_ ? 1e-3 : PairSweep::usable_error(); }  // tf32 has 2⁻¹¹

 private:
  CudaBackend& backend_;
  std::optional<SweepGamma> gamma_;
  std::unique_ptr<DeviceSamples> samples_;
  bool gamma_is_up_ = false;
  std::unique_ptr<PairSweep> cpu_;  // where the card does not pay, or has failed

  double n() const { return double(samples().rows()); }
  double d() const { return double(samples().cols()); }
  // Per sample, of a sweep without the large product; they come by the dozen.
  double small(BlockIn W) const { return kRepeats * n() * (4 * double(W.cols()) + 80); }
  static void ask(const RunContext& context, int status) { device::check_status(status, context); }

  template <class OnDevice, class OnCpu>
  std::invoke_result_t<OnCpu, PairSweep&> either(BlockIn W, const KernelSum& kernel, double operations,
                                                 const RunContext& context, const OnDevice& on_device,
                                                 const OnCpu& on_cpu) {
    // Once they are up, samples are swept there.
    return backend_.either(
        samples_ ? std::numeric_limits<double>::infinity() : n() * operations, &kernel, context,
        [&] {
          if (!samples_) {
            samples_ = std::make_unique<DeviceSamples>(samples(), Range{0, samples().rows()}, context);
            gamma_is_up_ = false;
          }
          const auto lock = device::alone();
          const Table& table = *device::device().table;
          if (!gamma_is_up_) put_gamma(table, context);
          const Matrix basis = W;
          const std::vector<device::Term> terms = device::terms_of(kernel, kernel);
          return on_device(table, device::sweep_of(&basis, W.cols(), terms, context));
        },
        [&] {
          samples_.reset();
          if (!cpu_) {
            cpu_ = static_cast<const cpu::CpuBackend&>(cpu_backend()).pair_sweep(samples());
            cpu_->set_gamma(*gamma_);
          }
          return on_cpu(*cpu_);
        });
  }

  void put_gamma(const Table& table, const RunContext& context) {
    const Gamma& gamma = gamma_->gamma;
    const Index rows = gamma.size();
    Vector share(rows);
    if (!gamma.classes.empty()) {  // HYYᵀH_ij = [c_i = c_j] − s_i − s_j + Σs², s_i the share of i's class
      std::vector<double> of_class(std::size_t(gamma.class_count), 0.0);
      for (const int c : gamma.classes) of_class[std::size_t(c)] += 1 / double(rows);
      double squares = 0;
      for (const double s : of_class) squares += s * s;
      for (Index i = 0; i < rows; ++i) share[i] = of_class[std::size_t(gamma.classes[std::size_t(i)])] - squares / 2;
    }
    ask(context,
        table.set_gamma(samples_->get(), gamma_->basis.cols(), gamma_->basis.data(), gamma_->weighted_basis.data(),
                        gamma.classes.empty() ? nullptr : gamma.classes.data(), share.data()));
    gamma_is_up_ = true;
  }

  PairGradient product(const Table& table, const device::Sweep& sweep, BlockIn V, const RunContext& context) {
    const Matrix given = V;
    PairGradient out{Matrix(V.rows(), V.cols()), 0, {}};
    ask(context, table.phi_product(samples_->get(), &sweep, given.data(), V.cols(), out.phi_W.data(), &out.objective));
    return out;
  }
};

}  // namespace

std::unique_ptr<PairSweep> cuda_pair_sweep(const Samples& X, CudaBackend& backend) {
  return std::make_unique<CudaPairSweep>(X, backend);
}

}  // namespace ritz::cuda
