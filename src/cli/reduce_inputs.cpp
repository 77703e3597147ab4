// SPDX-License-Identifier: MIT
#include "cli/reduce_inputs.hpp"

#include <fmt/format.h>

namespace ritz::cli {

namespace {

RowMatrix read_table(const std::string& path, const Dataset& data, const RunContext& context) {
  RowMatrix table = read_matrix(path, context);
  if (table.rows() != data.rows())
    throw Error(ErrorCode::bad_shape,
                fmt::format("{} has {} rows, but {} has {}", path, table.rows(), data.source, data.rows()));
  if (table.cols() == 0) throw Error(ErrorCode::bad_file, path + ": there are no columns");
  return table;
}

}  // namespace

void add_guidance_flags(CLI::App& app, GuidanceFlags& flags) {
  app.add_option("--targets", flags.targets, "file with numbers to be explained, a row a sample: instead of labels")
      ->type_name("FILE");
  app.add_option("--target-column", flags.target_columns, "column of X to be explained: name or number from 1")
      ->type_name("NAME");
  app.add_option("--scores", flags.scores, "file with an expert's scores, a row a sample, for --mode semi")
      ->type_name("FILE");
  app.add_option("--truth", flags.truth, "file with labels that found clusters are only compared with")
      ->type_name("FILE");
}

Guidance read_guidance(const GuidanceFlags& flags, Mode mode, Dataset& data, const RunContext& context) {
  Guidance guidance;
  if (!flags.targets.empty() && !flags.target_columns.empty())
    throw Error(ErrorCode::bad_option, "--targets and --target-column exclude each other");
  if (!flags.target_columns.empty()) guidance.targets = take_columns(data, flags.target_columns);
  if (!flags.targets.empty()) guidance.targets = read_table(flags.targets, data, context);
  if (!flags.scores.empty()) guidance.scores = read_table(flags.scores, data, context);
  if (!flags.truth.empty()) {
    if (data.labels.size() > 0)
      throw Error(ErrorCode::bad_option,
                  "--truth and labels exclude each other: labels guide, a truth is compared with");
    if (mode == Mode::supervised || (mode == Mode::automatic && flags.scores.empty()))
      throw Error(ErrorCode::bad_option,
                  "--truth is compared with the clusters of --mode unsupervised or semi; labels to learn from are "
                  "--labels");
    data.labels = read_labels(flags.truth, context);
    if (data.labels.size() != data.rows())
      throw Error(ErrorCode::bad_shape, fmt::format("{} has {} labels, but {} has {} rows", flags.truth,
                                                    data.labels.size(), data.source, data.rows()));
  }
  return guidance;
}

}  // namespace ritz::cli
