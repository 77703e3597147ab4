// SPDX-License-Identifier: MIT
// A whole task in one file, to prove what a task costs: the distance of each sample from the mean. Linked with the
// program it is a verb like any other, in help, transform, check, estimate, JSON and the conformance tests.
#include <fmt/format.h>

#include <cmath>

#include "ritz/base/error.hpp"
#include "tasks/model/access.hpp"
#include "tasks/row.hpp"

namespace ritz::mean {

struct MeanOptions {
  static constexpr std::string_view name = "mean";
  double power = 2;
  static constexpr auto fields() {
    return std::tuple{field("power", &MeanOptions::power, 1.0, 10.0, "power of the distance from the mean")};
  }
};

struct MeanSizes {
  static constexpr std::string_view name = "estimate";
  Index rows = 0, columns = 0;
  static constexpr auto fields() {
    return std::tuple{field("rows", &MeanSizes::rows, 0, Index(1) << 40, "number of samples"),
                      field("columns", &MeanSizes::columns, 0, Index(1) << 32, "number of features")};
  }
};

struct MeanResult {
  Vector mean;  // d
  double spread = kUnknown;
  Summary summary;
};

double spread_of(const Dataset& data, const Vector& mean, double power) {
  double sum = 0;
  for (Index i = 0; i < data.rows(); ++i) sum += std::pow((data.dense().row(i).transpose() - mean).norm(), power);
  return sum / double(data.rows());
}

struct MeanTask {
  using Data = Dataset;
  struct Known {};
  using Options = MeanOptions;
  using Result = MeanResult;
  using Sizes = MeanSizes;
  static constexpr std::string_view verb = "mean", method = "mean", summary = "The mean of the samples, as an example";

  static DataRow data() { return {}; }
  static std::vector<InputRow> inputs() { return {}; }
  static std::vector<Output<MeanTask>> outputs() {
    return {output<MeanTask>("embedding", "save_embedding", FileForm::matrix, "samples less their mean",
                             [](const Fit<MeanTask>& fit) {
                               return NamedColumns{transform(model(fit), *fit.data, {}),
                                                   numbered_names("axis", fit.data->cols()), RowKind::sample};
                             }),
            output<MeanTask>("model", "save_model", FileForm::model, "model file for 'ritz transform' and 'check'",
                             [](const Fit<MeanTask>& fit) { return model(fit); })};
  }
  static double goal(const MeanOptions&) { return 0; }

  static std::shared_ptr<const Dataset> read(const Inputs& inputs, const MeanOptions&, Known&,
                                             const RunContext& context) {
    return inputs.dataset(context);
  }

  static MeanResult fit(const Dataset& data, const Known&, const MeanOptions& options, RunContext& context) {
    if (data.sparse()) throw Error(ErrorCode::unsupported, "mean takes dense data");
    if (forecast({data.rows(), data.cols()}, options, nullptr, context).bytes > double(context.max_memory))
      throw Error(ErrorCode::memory, "the mean needs more than run.max_memory allows");
    if (data.rows() < 2) throw Error(ErrorCode::bad_data, data.source + ": one sample only; at least two are needed");
    MeanResult result;
    std::map<std::string, double> seconds;
    {
      const PhaseTimer timer(seconds, "fit");
      result.summary = iterate(
          [&](int) {
            context.poll();
            result.mean = data.dense().colwise().mean();
            result.spread = spread_of(data, result.mean, options.power);
            return StepReport{.objective = result.spread, .measure = 0};
          },
          {.tolerance = 0}, {}, context);
    }
    result.summary.seconds = std::move(seconds);
    return result;
  }

  static Summary& summary_of(MeanResult& result) { return result.summary; }

  static Lines text(const Fit<MeanTask>& fit) {
    return Lines()
        .raw("{} -> their mean\n", counted(fit.data->rows(), "sample"))
        .ending(fit.result.summary)
        .add("found", "a mean with spread {:.4g} around it", fit.result.spread)
        .add("how sure", "exact: there is nothing to iterate")
        .add("next", "mean.save_model FILE keeps it");
  }

  static Json json(const Fit<MeanTask>& fit) {
    Facts facts{verb, method};
    facts.certificate = {{"spread", fit.result.spread}};
    facts.options = options_json(fit.options);
    facts.data = {{"n", fit.data->rows()}, {"d", fit.data->cols()}, {"hash", data_hash(*fit.data)}};
    facts.result = {{"mean", vector_json(fit.result.mean)}};
    return envelope(fit.result.summary, std::move(facts));
  }

  static ModelForm form() { return {{{"mean", "d", "1"}}, {{"certificate.spread"}, {"options.power"}}}; }

  static ModelFile model(const Fit<MeanTask>& fit) {
    return {std::string(method), {{"mean", fit.result.mean}}, info_text(json(fit))};
  }

  static RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext&) {
    const Matrix& mean = model_access::array(model, "mean");
    if (data.cols() != mean.rows())
      throw Error(ErrorCode::bad_shape,
                  fmt::format("{} has {} columns, the model {}", data.source, data.cols(), mean.rows()));
    return data.dense().rowwise() - mean.col(0).transpose();
  }

  static CheckReport check(const ModelFile& model, const Inputs& inputs, const CheckOptions&,
                           const RunContext& context) {
    const auto data = inputs.dataset(context);
    const Json info = model_access::info_of(model);
    const double stored = model_access::fact<double>(info, "certificate", "spread"),
                 power = model_access::fact<double>(info, "options", "power"),
                 found = spread_of(*data, model_access::array(model, "mean").col(0), power);
    CheckReport report = certificate_report(std::abs(found - stored) <= 1e-12 * stored,
                                            model_access::fact<std::string>(info, "data", "hash") == data_hash(*data));
    report.lines.add("spread", fmt::format("{:.6g}, the model says {:.6g}", found, stored));
    report.facts["certificate"] = {{"spread", found}};
    return report;
  }

  static ForecastReport forecast(const MeanSizes& asked, const MeanOptions&, const Dataset* data, const RunContext&) {
    MeanSizes sizes = asked;
    if (data) sizes.rows = data->rows(), sizes.columns = data->cols();
    if (sizes.rows < 1) throw Error(ErrorCode::bad_option, "nothing to estimate: give X, or estimate.rows");
    ForecastReport report;
    report.bytes = 8e6 + 8.0 * double(sizes.rows) * double(sizes.columns);
    report.headline = fmt::format("mean of {} x {}", sizes.rows, sizes.columns);
    report.data = {{"n", sizes.rows}, {"d", sizes.columns}};
    return report;
  }
};

namespace {

[[maybe_unused]] const bool registered = (register_task(make_task<MeanTask>()), true);

}  // namespace

}  // namespace ritz::mean
