// SPDX-License-Identifier: MIT
// The certificate of a centre, again, from the bases, the centre and the weights alone.

#include "linalg/subspace.hpp"
#include "tasks/center/task.hpp"
#include "tasks/model/samples.hpp"

namespace ritz::center {

using namespace model_access;

namespace {

SubspaceOptions reading_of(const ModelFile& model) {
  const Json info = info_of(model);
  SubspaceOptions reading;
  reading.rank = fact<Index>(info, "reading", "rank");
  reading.energy = fact<double>(info, "reading", "energy");
  reading.rows = fact<bool>(info, "reading", "rows");
  reading.group_column = fact<std::string>(info, "reading", "group_column");
  reading.center_groups = fact<bool>(info, "reading", "center_groups");
  return reading;
}

// Predictions are by the groups in the model.
bool holds_groups(const ModelFile& model, const Subspaces& subspaces) {
  if (!model.arrays.contains("bases")) return true;
  return close_to(array(model, "bases"), subspaces.all.vectors) && close_to(array(model, "means"), subspaces.means) &&
         fact<std::vector<std::string>>(info_of(model), "result", "names") == subspaces.names;
}

std::vector<Index> dimensions_of(const ModelFile& model) { return numbers(array(model, "dims"), Index(1) << 40); }

}  // namespace

bool CenterCheck::values_agree() const {
  constexpr double kAgree = 1e-9, kSlack = 1e-3;
  const auto agree = [](double a, double b) {
    return std::abs(a - b) <= kAgree * (1 + std::abs(a)) || (std::isnan(a) && std::isnan(b));
  };
  return agree(primal, stored_primal) && agree(dual, stored_dual) &&
         residual <= stored_residual * (1 + kSlack) + kAgree;
}

bool CenterCheck::holds() const {
  constexpr double kOrthonormal = 1e-10;
  return values_agree() && orthonormality <= kOrthonormal && weights_off <= kOrthonormal && !(gap < -kOrthonormal);
}

CenterCheck check(const ModelFile& model, const Subspaces& subspaces, const RunContext& context) {
  const Json info = info_of(model);
  const Matrix& U = array(model, "center");
  if (U.cols() != fact<Index>(info, "result", "order")) reject("has a centre of another order than it says");
  const Collection& every = subspaces.all;
  if (U.rows() != every.ambient())
    fail(ErrorCode::bad_shape,
         "the subspaces lie in a space of {} dimensions, the model's centre in "
         "one of {}",
         every.ambient(), U.rows());
  const Matrix& weights = array(model, "weights");
  if (weights.cols() != 1 || weights.rows() != every.size())
    fail(ErrorCode::bad_shape, "there are {} subspaces, but the model was made from {}", every.size(), weights.rows());
  CenterCheck check;
  check.stored_primal = fact<double>(info, "certificate", "primal");
  check.stored_dual = number_or_unknown(info, "certificate", "dual");
  check.same_data = fact<std::string>(info, "data", "hash") == subspaces.hash;
  if (!check.same_data) check.notes.push_back("these are not the subspaces that the model was made from");
  check.orthonormality = orthonormality_error(U);
  const Vector lambda = weights.col(0);
  check.weights_off = std::max(std::abs(lambda.sum() - 1), std::max(0.0, -lambda.minCoeff()));
  if (U.cols() == 0) {
    check.primal = check.dual = check.gap = 0;
    check.notes.push_back("the centre has no dimension: there is nothing to certify but the order");
    return check;
  }
  // The centre is that of those that were not left out.
  std::vector<bool> out(std::size_t(every.size()), false);
  if (model.arrays.contains("dropped"))
    for (const Index i : numbers(array(model, "dropped"), every.size())) out[std::size_t(i)] = true;
  std::vector<Index> kept;
  for (Index i = 0; i < every.size(); ++i)
    if (!out[std::size_t(i)]) kept.push_back(i);
  if (kept.empty()) reject("leaves out all subspaces");
  if (Index(kept.size()) < every.size())
    note(check.notes, "of {} of the {} subspaces: the model leaves out the others", kept.size(), every.size());
  const Collection all = gather(every, kept);
  const auto named = TextForm<Method>::parse(fact<std::string>(info, "options", "method"));
  if (!named) reject("names a method that is not known");
  const Method method = *named;
  const AverageAt at = average_at(all, U, method, context);
  check.primal = at.objective;
  if (method != Method::minimax) {
    check.residual = at.direction.norm();
    check.stored_residual = fact<double>(info, "certificate", "slope");
  }
  if (method != Method::median && method != Method::karcher)
    check.dual = center::dual(all, lambda(kept), U.cols(), context).value;
  check.gap = check.primal - check.dual;
  return check;
}

CheckReport CenterTask::check(const ModelFile& model, const Inputs& inputs, const CheckOptions&,
                              const RunContext& context) {
  const Subspaces subspaces = given_subspaces(inputs, dimensions_of(model), reading_of(model), context);
  CenterCheck found = center::check(model, subspaces, context);
  const bool kept = holds_groups(model, subspaces);
  if (!kept) found.notes.push_back("the groups in the model are not those of the data");
  CheckReport report = certificate_report(found.holds() && kept, found.same_data);
  if (report.holds)
    report.plain.add("found", "the centre is where the model says; {}",
                     std::isnan(found.dual)
                         ? "it settled"
                         : fmt::format("none is nearer to all by more than {:.2g}", std::max(0.0, found.gap)));
  report.plain.notes(found.notes);
  const char* differ = found.values_agree() ? "" : ": THEY DIFFER";
  report.lines.add("primal", "{:.12g}, the model says {:.12g}{}", found.primal, found.stored_primal,
                   std::isnan(found.dual) ? differ : "");
  if (!std::isnan(found.dual))
    report.lines.add("dual", "{:.12g}, the model says {:.12g}{}", found.dual, found.stored_dual, differ)
        .add("gap", "{:.1e}", std::max(0.0, found.gap));
  if (found.stored_residual > 0)
    report.lines.add("gradient", "{:.1e}, the model says {:.1e}", found.residual, found.stored_residual);
  report.lines.add("feasible", "centre orthonormal to {:.1e}, weights on the simplex to {:.1e}", found.orthonormality,
                   found.weights_off);
  report.facts["objective"] = found.primal;
  report.facts["certificate"] = {{"primal", found.primal},
                                 {"dual", found.dual},
                                 {"gap", found.gap},
                                 {"residual", found.residual},
                                 {"orthonormality", found.orthonormality},
                                 {"weights_off_simplex", found.weights_off}};
  report.facts["result"] = {{"stored_objective", found.stored_primal},
                            {"stored_dual", found.stored_dual},
                            {"values_agree", found.values_agree()}};
  report.facts["notes"] = found.notes;
  report.facts["data"] = {{"n", subspaces.all.ambient()}, {"subspaces", subspaces.all.size()}};
  return report;
}

}  // namespace ritz::center
