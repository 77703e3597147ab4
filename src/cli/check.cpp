// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "base/machine.hpp"
#include "cli/flags.hpp"
#include "cli/reduce_text.hpp"
#include "cli/session.hpp"
#include "tasks/center/json.hpp"
#include "tasks/isometry/json.hpp"
#include "tasks/kernel/json.hpp"
#include "tasks/reduce/model.hpp"
#include "tasks/unfold/model.hpp"

namespace ritz::cli {

namespace {

struct CheckOptions {
  static constexpr std::string_view name = "check";
  Effort curvature = Effort::automatic;
  static constexpr auto fields() {
    return std::tuple{field("curvature", &CheckOptions::curvature,
                            "the largest eigenvalue of the tangent Hessian (auto: when it is cheap)")};
  }
};

struct Flags {
  RunOptions run;
  DataFlags data;
  CheckOptions check;
  std::string json;  // empty: none, "-": standard output
  std::string model;
  std::vector<std::string> more;  // further files of a collection of subspaces
  std::string dims;
};

std::string check_text(const Check& check, const std::string& model) {
  const auto line = [](std::string_view name, const std::string& value) {
    return fmt::format("  {:<12} {}\n", name, value);
  };
  std::string text = fmt::format("{}: {}\n", model, check.holds() ? "the certificate holds" : "THE CERTIFICATE FAILS");
  text += line("kernel", short_kernel_text(check.kernel));
  text += line("objective", fmt::format("{:.10g}, the model says {:.10g}{}", check.certificate.objective,
                                        check.stored_objective, check.objective_agrees() ? "" : ": THEY DIFFER"));
  text += line("first order", fmt::format("{:.1e}, asked for {:.0e}{}", check.certificate.first_order, check.tolerance,
                                          check.stationary() ? "" : ": NOT STATIONARY"));
  text += line("certificate", certificate_text(check.certificate));
  if (const std::string inequality = inequality_text(check.certificate); !inequality.empty())
    text += line("inequality", inequality);
  for (const std::string& note : check.notes) text += line("note", note);
  return text;
}

std::string kernel_text_of(const KernelCheck& check, const std::string& model) {
  const auto line = [](std::string_view name, const std::string& value) {
    return fmt::format("  {:<12} {}\n", name, value);
  };
  std::string text = fmt::format("{}: {}\n", model, check.holds() ? "the certificate holds" : "THE CERTIFICATE FAILS");
  text += line("primal", fmt::format("{:.10g}, the model says {:.10g}", check.primal, check.stored_primal));
  if (std::isfinite(check.dual)) {
    text += line("dual", fmt::format("{:.10g}, the model says {:.10g}{}", check.dual, check.stored_dual,
                                     check.values_agree() ? "" : ": THEY DIFFER"));
    text += line("gap", fmt::format("{:.1e}, relative {:.1e}, asked for {:.0e}{}", check.gap, check.relative_gap,
                                    check.tolerance, check.within_tolerance() ? "" : ": TOO WIDE"));
    text += line("spectrum", fmt::format("{} positive eigenvalues of A ({})", check.positive, check.spectrum));
  }
  for (const std::string& note : check.notes) text += line("note", note);
  return text;
}

ExitStatus check_kernel_model(const Flags& flags, const ModelFile& model, Dataset& data, const RunContext& context) {
  const KernelCheck check =
      model.method == kUnfoldMethod ? check_unfolding(model, data, context) : check_kernel(model, data, context);
  say(flags.run, kernel_text_of(check, flags.model));
  Json json = head_json("check", model.method, check.holds() ? "holds" : "fails");
  json.update(kernel_check_json(check));
  json["data"] = {{"n", data.rows()}, {"d", data.cols()}, {"same_as_fit", check.same_data}};
  json["files"] = {{"model", flags.model}};
  json["peak_memory_bytes"] = peak_memory_bytes();
  print_json(flags.json, json);
  return check.holds() ? ExitStatus::fine : ExitStatus::not_converged;
}

// Of other data than the fitted ones the distortion is a measurement, not a promise that could fail.
ExitStatus check_isometry_model(const Flags& flags, const ModelFile& model, const Dataset& data,
                                const RunContext& context) {
  const IsometryCheck check = check_isometry(model, data, context);
  const auto line = [](std::string_view name, const std::string& value) {
    return fmt::format("  {:<12} {}\n", name, value);
  };
  std::string text =
      fmt::format("{}: {}\n", flags.model,
                  check.holds()     ? check.same_data ? "the certificate holds" : "new data are within the band"
                  : check.same_data ? "THE CERTIFICATE FAILS"
                                    : "new data are not all within the band");
  text += line("distortion",
               fmt::format("{:.8g} over {} pairs, asked for {:g}{}", check.distortion, check.sweep.pairs, check.asked,
                           check.same_data ? fmt::format(", the model says {:.8g}{}", check.stored,
                                                         check.agrees() ? "" : ": THEY DIFFER")
                                           : " of the fitted data"));
  text += line("ratios", fmt::format("{:.6g} to {:.6g}", check.sweep.lowest, check.sweep.highest));
  if (check.sweep.beyond > 0)
    text += line("beyond", fmt::format("{} of {} pairs ({:.3g} %)", check.sweep.beyond, check.sweep.pairs,
                                       100 * double(check.sweep.beyond) / double(check.sweep.pairs)));
  say(flags.run, text);
  Json json = head_json("check", model.method, check.holds() ? "holds" : check.same_data ? "fails" : "exceeds");
  json["certificate"] = sweep_json(check.sweep);
  json["data"] = {{"n", data.rows()}, {"d", data.cols()}, {"same_as_fit", check.same_data}};
  json["result"] = {{"stored_distortion", number_json(check.stored)}, {"asked_distortion", number_json(check.asked)}};
  json["files"] = {{"model", flags.model}};
  json["peak_memory_bytes"] = peak_memory_bytes();
  print_json(flags.json, json);
  return check.holds() || !check.same_data ? ExitStatus::fine : ExitStatus::not_converged;
}

std::string center_text(const CenterCheck& check, const std::string& model) {
  const auto line = [](std::string_view name, const std::string& value) {
    return fmt::format("  {:<12} {}\n", name, value);
  };
  std::string text = fmt::format("{}: {}\n", model, check.holds() ? "the certificate holds" : "THE CERTIFICATE FAILS");
  text += line("primal", fmt::format("{:.12g}, the model says {:.12g}", check.primal, check.stored_primal));
  text += line("dual", fmt::format("{:.12g}, the model says {:.12g}{}", check.dual, check.stored_dual,
                                   check.values_agree() ? "" : ": THEY DIFFER"));
  text += line("gap", fmt::format("{:.1e}", std::max(0.0, check.gap)));
  text += line("feasible", fmt::format("centre orthonormal to {:.1e}, weights on the simplex to {:.1e}",
                                       check.orthonormality, check.weights_off));
  for (const std::string& note : check.notes) text += line("note", note);
  return text;
}

ExitStatus check_center_model(const Flags& flags, const ModelFile& model, const RunContext& context) {
  std::vector<std::string> files = {flags.data.path};
  files.insert(files.end(), flags.more.begin(), flags.more.end());
  const Subspaces subspaces = read_subspaces(files, flags.dims, dimensions_of(model), reading_of(model), context);
  const CenterCheck check = check_center(model, subspaces, context);
  say(flags.run, center_text(check, flags.model));
  Json json = head_json("check", model.method, check.holds() ? "holds" : "fails");
  json.update(center_check_json(check));
  json["data"] = {
      {"n", subspaces.all.ambient()}, {"subspaces", subspaces.all.size()}, {"same_as_fit", check.same_data}};
  json["files"] = {{"model", flags.model}};
  json["peak_memory_bytes"] = peak_memory_bytes();
  print_json(flags.json, json);
  return check.holds() ? ExitStatus::fine : ExitStatus::not_converged;
}

ExitStatus work(Flags& flags) {
  require_outputs({{"json", flags.json}});
  const RunContext context = make_context(flags.run);
  const ModelFile model = load_model(flags.model);
  const bool graph_alone = model.method == kUnfoldMethod && without_samples(model);
  if (flags.data.path.empty() && !graph_alone)
    throw Error(ErrorCode::bad_option, "X is required: the data that the model was fitted to");
  if (model.method == kCenterMethod) return check_center_model(flags, model, context);
  if (!flags.more.empty() || !flags.dims.empty())
    throw Error(ErrorCode::bad_option, "several files and --dims are for models of 'ritz center'");
  Dataset data = flags.data.path.empty() ? Dataset{} : read_data(flags.data, context);
  if (model.method == kKernelMethod || model.method == kUnfoldMethod)
    return check_kernel_model(flags, model, data, context);
  if (model.method == kIsometryMethod) return check_isometry_model(flags, model, data, context);
  const Check check = check_model(model, data, flags.check.curvature, context);
  say(flags.run, check_text(check, flags.model));
  Json json = head_json("check", model.method, check.holds() ? "holds" : "fails");
  json["objective"] = number_json(check.certificate.objective);
  json["certificate"] = certificate_json(check.certificate);
  json["options"] = options_json(flags.check);
  json["notes"] = check.notes;
  json["data"] = {{"n", data.rows()}, {"d", data.cols()}, {"same_as_fit", check.same_data}};
  json["result"] = {{"stored_objective", number_json(check.stored_objective)},
                    {"objective_agrees", check.objective_agrees()},
                    {"stored_first_order", number_json(check.stored_first_order)},
                    {"tolerance", number_json(check.tolerance)},
                    {"stationary", check.stationary()}};
  json["files"] = {{"model", flags.model}};
  json["peak_memory_bytes"] = peak_memory_bytes();
  print_json(flags.json, json);
  return check.holds() ? ExitStatus::fine : ExitStatus::not_converged;
}

}  // namespace

Verb add_check(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  CLI::App& app =
      *root.add_subcommand("check", "Recompute a model's certificate from the data, trusting nothing of its solver");
  app.add_option("MODEL", flags->model, "file written by --save-model")->required();
  add_data_flags(app, flags->data, true);
  app.get_option("X")->required(false);  // a model of a graph alone has none
  app.add_option("MORE", flags->more, "further files of a collection of subspaces")->type_name("FILE");
  app.add_option("--dims", flags->dims, "dimensions of subspaces side by side in X, for models of 'ritz center'")
      ->type_name("FILE");
  add_fields(app, flags->check);
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
