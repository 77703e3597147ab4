// SPDX-License-Identifier: MIT
// The pair engine: sums over all pairs of samples, without ever holding an n × n matrix.
//
// With z = Wᵀx, β_ij = zᵢᵀzⱼ (dot) or ‖zᵢ − zⱼ‖² (difference), K_ij = Σ_t w_t f_t(β_ij) and Ψ = Γ ∘ f′(β):
//   F = Tr(ΓK)  (with Γ = HYYᵀH: HSIC(XW, Y) without its factor 1/(n − 1)²),  dF/dW = 2ΦW,
//    Φ = XᵀΨX (dot)  or  2Xᵀ(diag(Ψ1) − Ψ)X (difference).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <variant>

#include "ritz/base/checkpoint.hpp"
#include "ritz/base/context.hpp"
#include "ritz/base/options.hpp"
#include "ritz/linalg/operator.hpp"
#include "ritz/model/gamma.hpp"
#include "ritz/model/kernel_sum.hpp"
#include "ritz/model/samples.hpp"

namespace ritz {

// Φ, dense or as a thin factor, whichever the route made: d × d is not formed where a factor with fewer columns will
// do.
struct PhiMatrix {
  std::variant<DenseOperator, SymFactor> form;
  Index size() const {
    return std::visit([](const auto& f) { return f.size(); }, form);
  }
  void apply(BlockIn in, BlockOut out) const {
    std::visit([&](const auto& f) { f.apply(in, out); }, form);
  }
  OperatorView view() const {
    return std::visit([](const auto& f) { return OperatorView(f); }, form);
  }
  Matrix times(BlockIn in) const {
    Matrix out(in.rows(), in.cols());
    apply(in, out);
    return out;
  }
  Matrix dense() const {
    return std::visit([](const auto& f) { return Matrix(f.dense()); }, form);
  }
};

// What a low-rank kernel may have changed; all 0 where the sums are exact. Upper bounds that follow from the diagonal
// of what the factor left out (docs/decisions/0011), not estimates.
struct PairError {
  double objective = 0;  // |F − exact F|
  double phi = 0;        // ‖Φ − exact Φ‖₂
};

struct PairSums {
  PhiMatrix phi;
  double objective = 0;  // Tr(ΓK)
  PairError error;
};
inline void keep(Archive& archive, PairError& error) { archive(error.objective, error.phi); }
inline void keep(Archive& archive, PairSums& sums) { archive(sums.phi.form, sums.objective, sums.error); }

// F and half its gradient: ΦW without Φ.
struct PairGradient {
  Matrix phi_W;  // d × q
  double objective = 0;
  PairError error;
};

// How close the sums must come to the exact ones in double precision.
enum class Precision { full, mixed };
constexpr auto names_of(Precision) { return std::array{"double", "mixed"}; }
struct PairAccuracy {
  Precision precision = Precision::full;  // mixed: products of tiles in single precision, sums in double
  // 0: exact. Otherwise kernels that have such a form are replaced by a low-rank one where that is cheaper, and F errs
  // by at most this share of itself (in a sum of kernels: each term's part of F).
  double approximate = 0;
  // 0: all pairs. Otherwise fits see about this share of them, drawn, where sums over all would cost n².
  double sample_pairs = 0;
  static constexpr std::string_view name = "pairs";
  static constexpr auto fields() {
    return std::tuple{field("precision", &PairAccuracy::precision,
                            "of the sums over pairs: double, or mixed (products of tiles in single precision)"),
                      field("approximate", &PairAccuracy::approximate, 0.0, 0.1,
                            "relative error of the objective that a low-rank kernel may cause; 0: exact sums"),
                      field("sample_pairs", &PairAccuracy::sample_pairs, 0.0, 1.0,
                            "share of the pairs that the fit sees, drawn, with an interval for the objective over all "
                            "of them; 0: all pairs")};
  }
};

struct PairSizes {
  Index n, d, q;
  Index gamma_columns;
  bool by_class;        // Γ comes from class labels
  bool sparse = false;  // the samples are
};

// How the sums of one kernel are computed, with the floating-point operations counted for each exact way.
struct PairRoute {
  bool tiled = true;             // false: the exact low-rank route, linear in n
  double tiled_operations = 0;   // n²·d, each unordered pair once, plus the smaller parts
  double direct_operations = 0;  // infinity where there is no such route
  std::string reason;            // goes into Summary::used
};
enum class RouteChoice { cheaper, tiled, direct };  // `direct` falls back to tiles for kernels that have no such route
// A low-rank kernel may take this share of RunContext::max_memory; where it wants more, exact tiles take over.
inline constexpr double kLowRankShare = 0.25;
// Pure: the choice can be tested, and a forecast made, without computing anything.
PairRoute plan_pairs(const KernelTerm& term, const PairSizes& sizes, RouteChoice choice = RouteChoice::cheaper);
// The same count for a low-rank kernel of `rank` columns.
double low_rank_operations(const PairSizes& sizes, double rank);
// Columns of the factor in which the direct route gives Φ; 0 where there is no such route.
double direct_columns(const KernelTerm& term, const PairSizes& sizes);

// Made once for a data set, run once an iteration. Results are the same bits for any number of threads.
class PairPass {
 public:
  virtual ~PairPass() = default;
  // Another Γ on the same samples, which stay where they are: as a new pass, without bringing the data up again.
  virtual void set_gamma(Gamma gamma) = 0;
  // Φ with f′(β) replaced by f′(0) (by its sign where that is 0): no W needed.
  virtual PhiMatrix start_phi(const KernelSum& kernel, const RunContext& context) = 0;
  virtual PairSums sums(BlockIn W, const KernelSum& kernel, const RunContext& context) = 0;
  // Without a d × d matrix, in n²·(2q + r) operations besides the kernel where sums() takes n²·d.
  virtual PairGradient gradient(BlockIn W, const KernelSum& kernel, const RunContext& context);
  virtual double objective(BlockIn W, const KernelSum& kernel, const RunContext& context) = 0;
  // The part of the second derivative that comes from f″: T[E] with ⟨E, T[E]⟩ = Σ Γ_ij f″_ij c_ij², c_ij the derivative
  // of β_ij along E (d × q). E may hold several directions side by side (d × mq): they share the kernel's evaluation,
  // and the result holds their products in the same order.
  virtual Matrix curvature_product(BlockIn W, const KernelSum& kernel, BlockIn E, const RunContext& context) = 0;
  // 2Σ|Γ_ij f″_ij|·‖x_i − x_j‖⁴ over differences and 2Σ|Γ_ij f″_ij|·‖x_i‖²‖x_j‖² over dot products: the bound of the
  // papers' inequality for a local maximum.
  virtual double curvature_bound(BlockIn W, const KernelSum& kernel, const RunContext& context) = 0;
  virtual RowMatrix kernel_product(BlockIn W, const KernelSum& kernel, DataView in, const RunContext& context) = 0;
  Vector degrees(BlockIn W, const KernelSum& kernel, const RunContext& context);  // K·1
  virtual std::string route_text(Index q, const KernelSum& kernel) const = 0;     // how sums() goes about it
  virtual Index sample_count() const = 0;
  virtual void keep(Archive&) {}                              // what sums so far have taught it of this Γ
  void force_route(RouteChoice choice) { choice_ = choice; }  // for tests and benchmarks
  void set_accuracy(const PairAccuracy& accuracy) { accuracy_ = accuracy; }
  // ‖(Φ̃ − Φ)V‖_F / ‖ΦV‖_F for the Φ̃ of the first sums in mixed precision, Φ in double and random directions V: what
  // single precision cost. Unknown where no sums were mixed. F, gradient and curvature are in double always.
  virtual double precision_error() const { return kUnknown; }

 protected:
  RouteChoice choice_ = RouteChoice::cheaper;
  PairAccuracy accuracy_;
};

}  // namespace ritz
