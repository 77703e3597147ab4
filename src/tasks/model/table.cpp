// SPDX-License-Identifier: MIT
#include "tasks/model/table.hpp"

#include <algorithm>
#include <filesystem>

#include "report/table.hpp"
#include "tasks/model/access.hpp"

namespace ritz {

using namespace model_access;

namespace {

Json column_json(const Column& column) {
  Json json = {{"name", column.name}};
  if (column.kind != ColumnKind::number) json["kind"] = to_string(column.kind);
  if (!column.levels.empty()) json["levels"] = column.levels;
  if (!column.form.empty()) json["form"] = column.form;
  return json;
}

Column column_from(const Json& json) {
  Column column{.name = json.at("name").get<std::string>()};
  const auto kind = TextForm<ColumnKind>::parse(json.value("kind", "number"));
  if (!kind || *kind == ColumnKind::id) reject("says of a column what cannot be");
  column.kind = *kind;
  if (json.contains("levels")) column.levels = json.at("levels").get<std::vector<std::string>>();
  column.form = json.value("form", "");
  if (column.levels.empty() && (*kind == ColumnKind::category || *kind == ColumnKind::ordered))
    reject("says of a column what cannot be");
  return column;
}

Vector numbers_from(const Json& json) {
  const auto values = json.get<std::vector<double>>();
  const Vector numbers = Eigen::Map<const Vector>(values.data(), Index(values.size()));
  if (!numbers.allFinite()) reject("holds a number that is out of range");
  return numbers;
}

TableRecipe recipe_from(const Json& json) {
  TableRecipe recipe;
  for (const Json& column : json.at("columns")) recipe.columns.push_back(column_from(column));
  recipe.named = json.at("named").get<bool>();
  recipe.label = json.value("label", "");
  recipe.targets = json.value("targets", std::vector<std::string>{});
  for (const Json& column : json.value("left_out", Json::array()))
    recipe.left_out.push_back({.name = column.at("name").get<std::string>(),
                               .kind = ColumnKind::id,
                               .form = column.at("form").get<std::string>()});
  const auto missing = TextForm<MissingValues>::parse(json.at("na").get<std::string>());
  if (!missing) reject("says of its missing values what cannot be");
  recipe.missing = *missing;
  const Index d = recipe.features();
  if (json.contains("fill")) recipe.fill = numbers_from(json.at("fill"));
  if (json.contains("donors")) {
    const Vector donors = numbers_from(json.at("donors"));
    if (d == 0 || donors.size() % d != 0) reject("has arrays that do not fit together");
    recipe.donors = Eigen::Map<const RowMatrix>(donors.data(), donors.size() / d, d);
  }
  if (d == 0 || (recipe.fill.size() != 0 && recipe.fill.size() != d)) reject("has arrays that do not fit together");
  return recipe;
}

template <class Values>
std::vector<double> flat(const Values& values) {
  return {values.data(), values.data() + values.size()};
}

}  // namespace

void store_recipe(ModelFile& model, const TableRecipe* recipe) {
  if (!recipe) return;
  Json json = {{"named", recipe->named}, {"na", to_string(recipe->missing)}, {"columns", Json::array()}};
  for (const Column& column : recipe->columns) json["columns"].push_back(column_json(column));
  if (!recipe->label.empty()) json["label"] = recipe->label;
  if (!recipe->targets.empty()) json["targets"] = recipe->targets;
  for (const Column& column : recipe->left_out)
    if (!column.form.empty()) json["left_out"].push_back({{"name", column.name}, {"form", column.form}});
  if (recipe->fill.size() > 0 && recipe->fill.allFinite()) json["fill"] = flat(recipe->fill);
  if (recipe->donors.size() > 0) json["donors"] = flat(recipe->donors);
  Json info = info_of(model);
  info["table"] = std::move(json);
  model.info = json_text(info);
}

std::shared_ptr<const TableRecipe> stored_recipe(const ModelFile& model) {
  const Json info = info_of(model);
  try {
    if (info.contains("table")) return std::make_shared<TableRecipe>(recipe_from(info.at("table")));
    if (!info.contains("feature_names")) return nullptr;
    // Fitted to a table in memory: numbers, which may have names.
    auto recipe = std::make_shared<TableRecipe>();
    for (const Json& name : info.at("feature_names")) {
      recipe->columns.push_back({name.get<std::string>()});
      recipe->named |= recipe->columns.back().name != fmt::format("x{}", recipe->columns.size());
    }
    return recipe->named ? recipe : nullptr;
  } catch (const Json::exception&) {
    reject("says of its columns what cannot be");
  }
}

DataSource source_for(const ModelFile& model, DataSource source, bool fitted) {
  if (!source.data) source.read.recipe = stored_recipe(model);
  source.read.as_fitted = fitted;
  return source;
}

std::shared_ptr<const Dataset> dataset_and_columns(Inputs& inputs, const std::vector<std::string>& names,
                                                   const RunContext& context) {
  std::vector<std::string> columns;
  const auto is_column = [&](const std::string& word) { return !inputs.data.data && !std::filesystem::exists(word); };
  for (const std::string& name : names)
    for (const std::string& word : inputs.words(name))
      if (is_column(word)) columns.push_back(word);
  if (columns.empty()) return inputs.dataset(context);
  const std::size_t before = inputs.data.read.target_columns.size();
  for (const std::string& column : columns) {
    inputs.data.read.kinds.push_back(column + "=category");
    inputs.data.read.target_columns.push_back(column);
  }
  std::shared_ptr<Dataset> data;
  try {
    data = std::make_shared<Dataset>(*inputs.dataset(context));
  } catch (const Error& error) {
    if (std::string(error.what()).find("has no column") == std::string::npos) throw;
    fail(ErrorCode::bad_file, "no such file: {}; and {}", columns.front(), error.what());
  }
  const std::vector<std::string> taken = data->recipe->targets;  // by name
  std::size_t at = before;
  for (const std::string& name : names) {
    const std::vector<std::string> words = inputs.words(name);
    if (std::ranges::none_of(words, is_column)) continue;
    RowMatrix table(data->rows(), Index(words.size()));
    Labels labels;
    for (std::size_t w = 0; w < words.size(); ++w) {
      labels = is_column(words[w]) ? take_labels(*data, taken.at(at++)) : read_labels(words[w], context);
      if (labels.size() != data->rows())
        fail(ErrorCode::bad_shape, "{} has {} labels, but {} has {} rows", words[w], labels.size(), data->source,
             data->rows());
      for (Index i = 0; i < table.rows(); ++i) table(i, Index(w)) = labels.of[std::size_t(i)];
    }
    inputs.others[name] = words.size() == 1 ? Inputs::Value(std::move(labels)) : Inputs::Value(std::move(table));
  }
  return data;
}

namespace {

// The columns alone, read as a fit reads them: what the model knows of its table is not about its targets.
Dataset columns_alone(const Inputs& inputs, const std::vector<std::string>& columns, const RunContext& context) {
  Inputs some;
  some.data.paths = inputs.data.paths;
  some.data.read = {.missing = MissingValues::drop, .target_columns = columns, .columns = columns};
  Dataset found = *some.dataset(context);
  if (found.sparse() || !found.recipe)
    fail(ErrorCode::unsupported,
         "{}: columns of sparse data cannot be taken out; give the targets in a file, reduce.targets", found.source);
  RowMatrix values(found.rows(), Index(found.recipe->targets.size()));
  for (Index t = 0; t < values.cols(); ++t) {
    const auto place = std::ranges::find(found.feature_names, found.recipe->targets[std::size_t(t)]);
    if (place == found.feature_names.end())
      fail(ErrorCode::bad_data, "{}: column '{}' is not one of numbers", found.source,
           found.recipe->targets[std::size_t(t)]);
    values.col(t) = found.dense().col(place - found.feature_names.begin());
  }
  found.samples = std::move(values);
  return found;
}

// Which rows of the file its samples are, from 0.
std::vector<Index> rows_of_file(const Dataset& data) {
  std::vector<bool> dropped(std::size_t(data.rows()) + data.dropped.size(), false);
  for (const DroppedRow& row : data.dropped) dropped[std::size_t(row.row - 1)] = true;
  std::vector<Index> rows;
  for (std::size_t i = 0; i < dropped.size(); ++i)
    if (!dropped[i]) rows.push_back(Index(i));
  return rows;
}

}  // namespace

SamplesAndTargets samples_and_targets(const Inputs& inputs, const RunContext& context) {
  const std::vector<std::string> columns = inputs.words("target_column");
  if (columns.empty()) {
    SamplesAndTargets both{inputs.dataset(context), {}};
    if (inputs.has("targets")) both.targets = inputs.matrix("targets", both.data->rows(), context);
    return both;
  }
  if (inputs.has("targets")) fail(ErrorCode::bad_option, "reduce.targets and reduce.target_column exclude each other");
  if (inputs.data.data || inputs.data.paths.empty())
    fail(ErrorCode::bad_option, "reduce.target_column is for samples from a file");
  if (inputs.data.paths.front() == "-")
    fail(ErrorCode::bad_option,
         "reduce.target_column needs X from a file: standard input cannot be read a second time; give reduce.targets");
  Inputs rest = inputs;
  for (const std::string& column : columns) rest.data.read.drop_columns.push_back(column);
  std::shared_ptr<const Dataset> data = rest.dataset(context);
  const Dataset told = columns_alone(inputs, columns, context);
  const std::vector<Index> rows = rows_of_file(*data), known = rows_of_file(told);
  if (data->rows() + std::ssize(data->dropped) != told.rows() + std::ssize(told.dropped))
    fail(ErrorCode::bad_shape,
         "{}: its rows cannot be matched with their targets; give these in a file, reduce.targets", data->source);
  std::vector<Index> samples, targets;  // of the rows that are among both
  for (std::size_t s = 0, t = 0; s < rows.size() && t < known.size();) {
    if (rows[s] == known[t]) {
      samples.push_back(Index(s));
      targets.push_back(Index(t));
    }
    rows[s] <= known[t] ? ++s : ++t;
  }
  if (samples.empty()) fail(ErrorCode::bad_data, "{}: no row has a target", data->source);
  if (std::ssize(samples) < data->rows()) {
    auto some = std::make_shared<Dataset>(select_rows(*data, samples));
    some->notes.push_back(fmt::format("{} without a target dropped", counted(data->rows() - some->rows(), "row")));
    for (std::size_t s = 0, next = 0; s < rows.size(); ++s) {
      if (next < samples.size() && samples[next] == Index(s))
        ++next;
      else
        some->dropped.push_back({rows[s] + 1, data->ids.empty() ? "" : data->ids[s]});
    }
    std::ranges::sort(some->dropped, {}, &DroppedRow::row);
    data = std::move(some);
  }
  return {std::move(data), RowMatrix(told.dense()(targets, Eigen::all))};
}

void add_reading(Json& facts, const Dataset& data) {
  if (data.recipe && (!data.recipe->plain() || !data.recipe->left_out.empty())) {
    for (const Column& column : data.recipe->columns) facts["columns"].push_back(column_json(column));
    for (const Column& column : data.recipe->left_out) facts["left_out"].push_back(column.name);
  }
  for (const DroppedRow& row : data.dropped) {
    Json one = {{"row", row.row}};
    if (!row.id.empty()) one["id"] = row.id;
    facts["dropped_rows"].push_back(std::move(one));
  }
}

}  // namespace ritz
