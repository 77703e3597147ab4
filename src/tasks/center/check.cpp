// SPDX-License-Identifier: MIT
// The certificate of a centre, again, from the bases, the centre and the weights alone.

#include "linalg/subspace.hpp"
#include "tasks/center/task.hpp"
#include "tasks/model/access.hpp"

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
  return reading;
}

std::vector<Index> dimensions_of(const ModelFile& model) { return numbers(array(model, "dims"), Index(1) << 40); }

}  // namespace

bool CenterCheck::values_agree() const {
  constexpr double kAgree = 1e-9;
  return std::abs(primal - stored_primal) <= kAgree * (1 + std::abs(primal)) &&
         std::abs(dual - stored_dual) <= kAgree * (1 + std::abs(dual));
}

bool CenterCheck::holds() const {
  constexpr double kOrthonormal = 1e-10;
  return values_agree() && orthonormality <= kOrthonormal && weights_off <= kOrthonormal && gap >= -kOrthonormal;
}

CenterCheck check(const ModelFile& model, const Subspaces& subspaces, const RunContext& context) {
  const Json info = info_of(model);
  const Matrix& U = array(model, "center");
  const Collection& all = subspaces.all;
  if (U.rows() != all.ambient())
    fail(ErrorCode::bad_shape,
         "the subspaces lie in a space of {} dimensions, the model's centre in "
         "one of {}",
         all.ambient(), U.rows());
  const Matrix& weights = array(model, "weights");
  if (weights.cols() != 1 || weights.rows() != all.size())
    fail(ErrorCode::bad_shape, "there are {} subspaces, but the model was made from {}", all.size(), weights.rows());
  CenterCheck check;
  check.stored_primal = fact<double>(info, "certificate", "primal");
  check.stored_dual = fact<double>(info, "certificate", "dual");
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
  check.primal = distances(all, U, context).maxCoeff();
  check.dual = center::dual(all, lambda, U.cols(), context).value;
  check.gap = check.primal - check.dual;
  return check;
}

CheckReport CenterTask::check(const ModelFile& model, const Inputs& inputs, const CheckOptions&,
                              const RunContext& context) {
  const Subspaces subspaces = given_subspaces(inputs, dimensions_of(model), reading_of(model), context);
  const CenterCheck found = center::check(model, subspaces, context);
  CheckReport report = certificate_report(found.holds(), found.same_data);
  report.lines.add("primal", "{:.12g}, the model says {:.12g}", found.primal, found.stored_primal)
      .add("dual", "{:.12g}, the model says {:.12g}{}", found.dual, found.stored_dual,
           found.values_agree() ? "" : ": THEY DIFFER")
      .add("gap", "{:.1e}", std::max(0.0, found.gap))
      .add("feasible", "centre orthonormal to {:.1e}, weights on the simplex to {:.1e}", found.orthonormality,
           found.weights_off)
      .notes(found.notes);
  report.facts["objective"] = found.primal;
  report.facts["certificate"] = {{"primal", found.primal},
                                 {"dual", found.dual},
                                 {"gap", found.gap},
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
