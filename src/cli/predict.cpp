// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>

#include "base/machine.hpp"
#include "cli/flags.hpp"
#include "cli/session.hpp"
#include "ritz/metrics/clustering.hpp"
#include "tasks/kernel/model.hpp"
#include "tasks/reduce/model.hpp"

namespace ritz::cli {

namespace {

struct PredictOptions {
  static constexpr std::string_view name = "predict";
  Index neighbours = 5;
  static constexpr auto fields() {
    return std::tuple{field("neighbours", &PredictOptions::neighbours, 1, 10000,
                            "k of the k-NN classifier, for models fitted to class labels")};
  }
};

struct Flags {
  RunOptions run;
  DataFlags data;
  PredictOptions predict;
  std::string json;  // empty: none, "-": standard output
  std::string model, labels = "-";
};

// How far the predicted labels agree with those that came with the data.
Json agreement(const Labels& predicted, const Labels& truth) {
  double right = 0;
  for (std::size_t i = 0; i < predicted.of.size(); ++i)
    if (predicted.names[std::size_t(predicted.of[i])] == truth.names[std::size_t(truth.of[i])]) ++right;
  return {{"accuracy", right / double(predicted.size())},
          {"nmi", normalised_mutual_information(predicted.of, truth.of)}};
}

ExitStatus work(Flags& flags) {
  const bool both = flags.labels == "-" && flags.json == "-";  // then the facts are what was asked for
  require_outputs({{"labels", both ? "" : flags.labels}, {"json", flags.json}});
  const RunContext context = make_context(flags.run);
  const ModelFile model = load_model(flags.model);
  Dataset data = read_data(flags.data, context);
  const Prediction prediction = model.method == kKernelMethod ? predict_kernel(model, data, context)
                                                              : predict(model, data, flags.predict.neighbours, context);
  const Labels& labels = prediction.labels;
  if (!both) write_labels(flags.labels, labels);
  say(flags.run, fmt::format("{} samples labelled by {}: {}\n", data.rows(), flags.model, prediction.rule));
  Json result = {{"labels", labels.names}, {"counts", labels.counts()}};
  if (data.labels.size() > 0) {
    result["agreement"] = agreement(labels, data.labels);
    say(flags.run,
        fmt::format("  against the given labels: {:.1f} % the same, NMI {:.3f}\n",
                    100 * result["agreement"]["accuracy"].get<double>(), result["agreement"]["nmi"].get<double>()));
  }
  Json json = head_json("predict", model.method);
  json["used"] = {{"rule", prediction.rule}};
  json["data"] = {{"n", data.rows()}, {"d", data.cols()}};
  json["result"] = std::move(result);
  json["files"] = {{"model", flags.model}, {"labels", flags.labels}};
  json["peak_memory_bytes"] = peak_memory_bytes();
  print_json(flags.json, json);
  return ExitStatus::fine;
}

}  // namespace

Verb add_predict(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  CLI::App& app = *root.add_subcommand("predict", "Label new data by a model: its cluster, or its nearest classes");
  app.add_option("MODEL", flags->model, "file written by --save-model")->required();
  add_data_flags(app, flags->data, true);
  add_fields(app, flags->predict);
  add_output(app, "--save-labels", flags->labels, "where the labels go, one a line (-: standard output)")
      ->default_str("-");
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
