// SPDX-License-Identifier: MIT
// The certificate of a projection, again, from the data and the model's Γ alone.

#include "pairs/bandwidth.hpp"
#include "ritz/linalg/products.hpp"
#include "tasks/model/access.hpp"
#include "tasks/projection/prepare.hpp"
#include "tasks/projection/report.hpp"

namespace ritz {

// The objective of a model and its recomputed value may differ by this much, relative: sums in another order.
constexpr double kSameObjective = 1e-9;
constexpr double kOrthonormal = 1e-8;  // max |WᵀW − I|

bool ProjectionCheck::objective_agrees() const {
  return std::abs(certificate.objective - stored_objective) <= kSameObjective * std::abs(stored_objective);
}

bool ProjectionCheck::stationary() const { return certificate.first_order <= std::max(tolerance, 1e-12) * 1.5; }

bool ProjectionCheck::holds() const {
  const bool climbs = certificate.curvature > 1e-6 * certificate.phi_norm;  // false where it is not known
  return objective_agrees() && stationary() && !climbs && certificate.orthonormality <= kOrthonormal;
}

namespace projection {

using namespace model_access;

namespace {

// What the fit promised of the first-order residual. The papers' stop rule bounds another quantity; the rounds of a
// clustering have their own.
double promised_residual(const ModelFile& model, const Json& info) {
  if (model.arrays.contains("cluster_centers"))
    return clustering::settled_residual(fact<double>(info, "options", "round_tolerance"), array(model, "W").cols());
  const bool papers_rule = fact<std::string>(info, "options", "stop") == to_string(StopOn::eigenvalues);
  return papers_rule ? ism::Options{}.tolerance : fact<double>(info, "options", "tolerance");
}

Gamma gamma_of(const ModelFile& model, const Json& info, const Labels& given) {
  if (!model.arrays.contains("classes")) {
    const Matrix& basis = array(model, "gamma");
    return factored_gamma({basis, column(model, "gamma_weights", basis.cols()).col(0)});
  }
  if (given.size() > 0) return supervised_gamma(given);
  return supervised_gamma(stored_classes(model, info, array(model, "classes").rows()));
}

// The papers' inequality; empty where it was not computed.
std::string inequality_text(const ism::Certificate& certificate) {
  if (!certificate.inequality_holds) return "";
  return fmt::format("{}: gap {:.3g}, bound {:.3g} (sufficient for a maximum, not necessary)",
                     *certificate.inequality_holds ? "holds" : "does not hold", certificate.inequality_gap,
                     certificate.inequality_bound);
}

}  // namespace

ProjectionCheck check(const ModelFile& model, const Dataset& whole, const CheckOptions& options,
                      const RunContext& context) {
  const Json info = info_of(model);
  ProjectionCheck check;
  check.stored_objective = fact<double>(info, "objective");
  check.stored_first_order = number_or_unknown(info, "certificate", "first_order");  // null: interrupted
  check.tolerance = promised_residual(model, info);
  check.same_data = fact<std::string>(info, "data", "hash") == data_hash(whole);
  if (!check.same_data) check.notes.push_back(whole.source + " does not hold the data that the model was fitted to");
  std::optional<Dataset> some;
  if (model.arrays.contains("rows")) {
    some = select_rows(whole, numbers(array(model, "rows"), whole.rows()));
    note(check.notes, "the fit left samples out: {} are looked at", some->rows());
  }
  const Dataset& data = some ? *some : whole;
  ColumnScaling scaling = model_scaling(model, data);
  Matrix W = array(model, "W");
  check.n = data.rows();
  check.d = W.rows();
  if (model.arrays.contains("frame")) {
    scaling.frame.basis = array(model, "frame");
    W = array(model, "frame_W");
    if (scaling.frame.basis.rows() != check.d || scaling.frame.basis.cols() != W.rows())
      reject("has arrays that do not fit together");
  } else if (Frame narrow = narrow_frame(data, scaling, context); !narrow.empty()) {
    W = product(narrow.inverse, W);
    scaling.frame = std::move(narrow);
  }
  const ScaledSamples scaled(data, scaling);
  const Samples& X = scaled.samples();
  Gamma gamma = gamma_of(model, info, data.labels);
  if (gamma.size() != X.rows())
    fail(ErrorCode::bad_shape, "{} has {} rows, the model was fitted to {}", data.source, X.rows(), gamma.size());
  check.kernel = resolve_bandwidths(parse_kernel(fact<std::string>(info, "options", "kernel")), X, context).kernel;
  check.certificate = ism::certify({X, std::move(gamma), check.kernel}, W, options.curvature, context);
  return check;
}

CheckReport check_report(const ModelFile& model, const Inputs& inputs, const CheckOptions& options,
                         const RunContext& context) {
  const ProjectionCheck found = check(model, *inputs.dataset(context), options, context);
  CheckReport report = certificate_report(found.holds(), found.same_data);
  report.lines.add("kernel", short_kernel_text(found.kernel))
      .add("objective", "{:.10g}, the model says {:.10g}{}", found.certificate.objective, found.stored_objective,
           found.objective_agrees() ? "" : ": THEY DIFFER")
      .add("first order", "{:.1e}, asked for {:.0e}{}", found.certificate.first_order, found.tolerance,
           found.stationary() ? "" : ": NOT STATIONARY")
      .add("certificate", certificate_text(found.certificate));
  if (const std::string inequality = inequality_text(found.certificate); !inequality.empty())
    report.lines.add("inequality", inequality);
  report.lines.notes(found.notes);
  report.facts["objective"] = found.certificate.objective;
  report.facts["certificate"] = certificate_json(found.certificate);
  report.facts["options"] = options_json(options);
  report.facts["notes"] = found.notes;
  report.facts["data"] = {{"n", found.n}, {"d", found.d}};
  report.facts["result"] = {{"stored_objective", found.stored_objective},
                            {"objective_agrees", found.objective_agrees()},
                            {"stored_first_order", found.stored_first_order},
                            {"tolerance", found.tolerance},
                            {"stationary", found.stationary()}};
  return report;
}

}  // namespace projection
}  // namespace ritz
