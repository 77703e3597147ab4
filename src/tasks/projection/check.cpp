// SPDX-License-Identifier: MIT
// The certificate of a projection, again, from the data and the model's Γ alone.

#include "linalg/subspace.hpp"
#include "pairs/bandwidth.hpp"
#include "ritz/cluster/kmeans.hpp"
#include "ritz/linalg/products.hpp"
#include "tasks/model/samples.hpp"
#include "tasks/model/table.hpp"
#include "tasks/projection/prepare.hpp"
#include "tasks/projection/report.hpp"

namespace ritz {

// The objective of a model and its recomputed value may differ by this much, relative: sums in another order.
constexpr double kSameObjective = 1e-9;
constexpr double kOrthonormal = 1e-8;  // max |WᵀW − I|

bool ProjectionCheck::objective_agrees() const {
  return std::abs(certificate.objective - stored_objective) <= kSameObjective * std::abs(stored_objective) + allowed;
}

bool ProjectionCheck::stationary() const {
  if (sampled) return true;
  const double promised = std::max(tolerance, 1e-12);
  return certificate.first_order <= 1.5 * (first_order_bound > promised ? first_order_bound : promised);
}

bool ProjectionCheck::holds() const {
  const bool climbs = !sampled && certificate.curvature > 1e-6 * certificate.phi_norm;  // false where it is not known
  return objective_agrees() && stationary() && !climbs && certificate.orthonormality <= kOrthonormal && kept;
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

// How far the fit's sums may lie from the exact ones, and the exact first-order residual that leaves; 0 where they are
// exact.
std::pair<double, double> stored_errors(const Json& info) {
  const Json none = Json::object(), certificate = info.value("certificate", none);
  const Json found = certificate.is_object() ? certificate.value("approximation", none) : none;
  const auto number = [&](const char* name) {
    return found.is_object() && found.contains(name) && found[name].is_number() ? found[name].get<double>() : 0.0;
  };
  return {std::max(0.0, number("objective_error")), std::max(0.0, number("first_order_bound"))};
}

// How far F over all pairs may lie from what a fit to some of them says: 0 where it was computed over all. Nothing
// where the fit saw all pairs.
std::optional<double> sampling_error(const Json& info) {
  const Json none = Json::object(), certificate = info.value("certificate", none);
  const Json found = certificate.is_object() ? certificate.value("sampling", none) : none;
  if (!found.is_object() || found.empty()) return std::nullopt;
  const auto number = [&](const char* name) {
    return found.contains(name) && found[name].is_number() ? found[name].get<double>() : kUnknown;
  };
  if (std::isfinite(number("objective_exact"))) return 0;
  const double half = (number("objective_high") - number("objective_low")) / 2;
  return std::isfinite(half) ? std::abs(half) : 0;
}

// Σ|Γ_ij| at most: terms of the objective that may cancel, for kernels of values up to 1.
double gamma_size(const Gamma& gamma) {
  const Vector columns = gamma.factor.basis.cwiseAbs().colwise().sum();
  return columns.cwiseAbs2().dot(gamma.factor.weights.cwiseAbs());
}

// Γ is that of the targets that predictions average.
bool explains(const ModelFile& model, const Json& info, const RunContext& context) {
  const RowMatrix Y = standardised_targets(array(model, "targets"));
  const Json& options = info.at("options");
  const auto kernel = TextForm<TargetKernel>::parse(fact<std::string>(options, "target_kernel"));
  const Json width = fact<Json>(options, "target_sigma");
  const auto sigma = TextForm<Bandwidth>::parse(width.is_string() ? width.get<std::string>() : width.dump());
  if (!kernel || !sigma) reject("has options that cannot be: a target kernel");
  TargetOptions how{.kernel = *kernel, .sigma = *sigma, .tolerance = fact<double>(options, "target_error")};
  if (how.kernel == TargetKernel::gaussian) how.sigma = resolved_width(how.sigma, Y, context);
  const SymFactor anew = target_gamma(Y, how, context).gamma.factor;
  const Matrix &basis = array(model, "gamma"), &weights = array(model, "gamma_weights");
  if (basis.rows() != anew.basis.rows()) return false;
  // As operators, for a factor is not unique: ‖Γ − Γ'‖ by products with the factors, relative to the new one.
  const auto inner = [](const Matrix& A, const Vector& a, const Matrix& B, const Vector& b) {
    return a.dot(Matrix((A.transpose() * B).cwiseAbs2()) * b);
  };
  const Vector w = weights.col(0);
  const double old = inner(basis, w, basis, w), both = inner(basis, w, anew.basis, anew.weights),
               fresh = inner(anew.basis, anew.weights, anew.basis, anew.weights);
  constexpr double kError = 1e-9;  // squared: of sums that cancel
  return old - 2 * both + fresh <= kError * fresh;
}

// What places and labels new samples is what the data give. `data` and `targets` are the rows that were fitted; no
// targets: none were given.
void look_at_kept(const ModelFile& model, const Json& info, const Dataset& data, const RowMatrix& targets,
                  ProjectionCheck& check, const RunContext& context) {
  const auto require = [&](bool agrees, const char* note) {
    if (agrees) return;
    check.kept = false;
    check.notes.emplace_back(note);
  };
  const auto kind = TextForm<Scaling>::parse(fact<std::string>(info, "options", "scale"));
  if (!kind) reject("names a scaling that is not known");
  const ColumnScaling scaling = learn_scaling(data, *kind);
  require(close_to(array(model, "mean"), scaling.mean) && close_to(array(model, "factor"), scaling.factor),
          "the scaling in the model is not that of the data");
  if (model.arrays.contains("frame")) {
    Whitening whitening{.shrinkage = fact<double>(info, "options", "shrinkage")};
    Labels classes;
    if (info.at("options").value("whiten_by", "all") != "all" && model.arrays.contains("classes")) {
      classes = stored_classes(model, info, data.rows());
      whitening.classes = &classes;
    }
    require(close_to(array(model, "frame"), learned_scaling(data, *kind, whitening, context).frame.basis),
            "the frame in the model is not that of the data");
    require(close_to(array(model, "W"), product(array(model, "frame"), array(model, "frame_W"))),
            "W is not the frame's");
  }
  const RowMatrix Z = transform(model, data, context);
  require(close_to(array(model, "Z"), Z), "the fitted samples in the model are not where W puts them");
  if (model.arrays.contains("targets")) {
    require(explains(model, info, context), "the targets in the model are not those that it explains");
    // Γ is the same for mirrored targets.
    if (targets.size() > 0)
      require(close_to(array(model, "targets"), targets), "the targets in the model are not the given ones");
    else
      check.notes.emplace_back("the targets are the model's word: none were given to compare them with");
  }
  if (model.arrays.contains("classes") && data.labels.size() == 0)
    check.notes.emplace_back("the classes are the model's word: no labels were given to compare them with");
  if (model.arrays.contains("classes") && data.labels.size() > 0) {
    const Labels stored = stored_classes(model, info, data.rows());
    bool same = true;
    for (std::size_t i = 0; i < stored.of.size(); ++i)
      same = same && stored.names[std::size_t(stored.of[i])] == data.labels.names[std::size_t(data.labels.of[i])];
    require(same, "the classes in the model are not the given ones");
  }
  if (!model.arrays.contains("cluster_centers")) return;
  const ClusterModel clusters = stored_clusters(model, info);
  RowMatrix points = Z;
  if (!clusters.of_samples) {
    if (std::ranges::any_of(clusters.kernel, [](const KernelTerm& term) { return is_per_sample(term.kernel); })) return;
    // At the fitted samples the extension gives their eigenvectors back, as near as they were found.
    constexpr double kOrthogonal = 0.05;
    const Matrix vectors = extend_embedding(clusters, Z, context);
    require(orthonormality_error(vectors) <= kOrthogonal, "the coefficients in the model do not extend its embedding");
    points = clustered_points(vectors);
  }
  std::vector<Index> labels;
  for (const int label : nearest_centers(points, clusters.centers, context)) labels.push_back(label);
  require(are_clusters(points, clusters.centers, labels, context), "the clusters in the model are not those of W");
}

}  // namespace

ProjectionCheck check(const ModelFile& model, const Dataset& whole, const CheckOptions& options,
                      const RunContext& context, const RowMatrix& given) {
  const Json info = info_of(model);
  ProjectionCheck check;
  check.stored_objective = fact<double>(info, "objective");
  check.stored_first_order = number_or_unknown(info, "certificate", "first_order");  // null: interrupted
  check.tolerance = promised_residual(model, info);
  check.same_data = fact<std::string>(info, "data", "hash") == data_hash(whole);
  if (!check.same_data) check.notes.push_back(whole.source + " does not hold the data that the model was fitted to");
  std::optional<Dataset> some;
  RowMatrix targets = given;
  if (model.arrays.contains("rows")) {
    const std::vector<Index> rows = numbers(array(model, "rows"), whole.rows());
    some = select_rows(whole, rows);
    if (given.size() > 0) targets = given(rows, Eigen::all);
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
  const double rounding = 1e-13 * gamma_size(gamma);
  look_at_kept(model, info, data, targets, check, context);
  check.certificate = ism::certify({X, std::move(gamma), check.kernel}, W, options.curvature, context);
  // Sums by a low-rank kernel promise no more than their error.
  const auto [objective_error, bound] = stored_errors(info);
  check.allowed = objective_error + rounding;
  if (objective_error > 0) check.first_order_bound = bound;
  if (const auto error = sampling_error(info)) {
    check.sampled = true;
    check.allowed += *error;
    check.notes.emplace_back(
        "the fit saw some of the pairs: the residual over all is a measurement, not what was promised");
  }
  return check;
}

CheckReport check_report(const ModelFile& model, const Inputs& inputs, const CheckOptions& options,
                         const RunContext& context) {
  const auto [data, targets] = samples_and_targets(inputs, context);
  const ProjectionCheck found = check(model, *data, options, context, targets);
  CheckReport report = certificate_report(found.holds(), found.same_data);
  if (found.holds())
    report.plain.add("found",
                     "these data give what the model says, and no small turn of its directions would be better");
  report.plain.notes(found.notes);
  report.lines.add("kernel", short_kernel_text(found.kernel))
      .add("objective", "{:.10g}, the model says {:.10g}{}", found.certificate.objective, found.stored_objective,
           found.objective_agrees() ? "" : ": THEY DIFFER")
      .add("first order", "{:.1e}, asked for {:.0e}{}", found.certificate.first_order, found.tolerance,
           found.stationary() ? "" : ": NOT STATIONARY")
      .add("certificate", certificate_text(found.certificate));
  if (found.first_order_bound > 0)
    report.lines.add("approximate", fmt::format("the fit's sums: objective within {:.2g}, first order within {:.1e}",
                                                found.allowed, found.first_order_bound));
  report.facts["objective"] = found.certificate.objective;
  report.facts["certificate"] = certificate_json(found.certificate);
  report.facts["options"] = options_json(options);
  report.facts["notes"] = found.notes;
  report.facts["data"] = {{"n", found.n}, {"d", found.d}};
  report.facts["result"] = {{"stored_objective", found.stored_objective},
                            {"objective_agrees", found.objective_agrees()},
                            {"stored_first_order", found.stored_first_order},
                            {"tolerance", found.tolerance},
                            {"stationary", found.stationary()},
                            {"kept_agrees", found.kept}};
  return report;
}

}  // namespace projection
}  // namespace ritz
