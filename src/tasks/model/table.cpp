// SPDX-License-Identifier: MIT
#include "tasks/model/table.hpp"

#include <algorithm>
#include <filesystem>

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
