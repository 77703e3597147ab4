// SPDX-License-Identifier: MIT
#include "cli/help.hpp"

namespace ritz::cli {

namespace {

struct Guide {
  std::string_view verb, question;
  std::vector<std::string_view> examples;
};

const std::vector<Guide>& guides() {
  static const std::vector<Guide> all = {
      {"reduce",
       "Which features tell my classes apart, or explain a number?",
       {"ritz reduce iris.csv --label-column species --plot iris.svg",
        "ritz reduce houses.csv --target-column price --folds 5",
        "ritz reduce customers.csv --mode unsupervised --clusters 4 --save-labels groups.csv"}},
      {"depend",
       "Do features and labels, or two tables, depend on each other at all?",
       {"ritz depend iris.csv --label-column species", "ritz depend genes.csv lipids.csv"}},
      {"unfold",
       "What do my samples look like in two dimensions?",
       {"ritz unfold iris.csv --label-column species --plot iris.svg", "ritz unfold X.csv --method pca --plot X.png"}},
      {"recluster",
       "Is there another grouping than the one I know?",
       {"ritz recluster X.csv --given known.labels --clusters 2 --tune --plot both.svg"}},
      {"kernel",
       "I know of some samples that they belong together: what of the others?",
       {"ritz kernel X.csv --pairs pairs.csv --clusters 3 --save-labels groups.csv",
        "ritz kernel X.csv --pairs pairs.csv --clusters 3 --suggest 10"}},
      {"isometry",
       "How few numbers a sample keep all distances?",
       {"ritz isometry X.npy --distortion 0.25 --save-projection P.npy", "ritz isometry X.npy --sweep 0.1,0.2,0.4"}},
      {"center",
       "What have several sets of measurements in common?",
       {"ritz center day1.csv day2.csv day3.csv --rank 2 --plot days.svg"}},
      {"transform", "", {"ritz transform iris.ritz new.csv --save-embedding new_axes.csv"}},
      {"predict", "", {"ritz predict iris.ritz new.csv --save-labels new_species.csv"}},
      {"check", "", {"ritz check iris.ritz iris.csv --label-column species"}},
      {"estimate", "", {"ritz estimate reduce --rows 100000 --columns 50 --classes 10"}},
      {"report", "", {"ritz report iris.ritz iris.csv -o iris.html"}},
      {"replay", "", {"ritz reduce iris.csv --label-column species --manifest run.json", "ritz replay run.json"}},
      {"describe",
       "",
       {"ritz describe customers.csv", "ritz describe survey.csv --kind 'answer=ordered(no,maybe,yes)'"}},
      {"bench", "", {"ritz bench pairs", "ritz bench reduce iris.csv --label-column species"}},
      {"reproduce", "", {"ritz reproduce ism-ikdr --quick"}},
      {"generate", "", {"ritz generate moons --samples 200 --output moons.csv"}},
      {"list", "", {"ritz list kernels"}}};
  return all;
}

// What most people set. The others are for those who know the method.
constexpr auto kEveryday = std::to_array<std::string_view>(
    {"help",       "labels", "label-column", "target-column", "given",        "pairs",         "dim",
     "clusters",   "kernel", "holdout",      "folds",         "neighbours",   "method",        "rank",
     "distortion", "sweep",  "tune",         "views",         "suggest",      "fraction",      "bootstrap",
     "features",   "sparse", "save-model",   "plot",          "permutations", "save-embedding"});
constexpr auto kOutput = std::to_array<std::string_view>({"bare", "json"});

template <class Names>
bool among(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != std::ranges::end(names);
}

enum class Group { everyday, method, input, output, run };
constexpr std::array<std::string_view, 5> kTitles = {"Options", "Method options", "Input options", "Output options",
                                                     "Run options"};

Group group_of(const Task& task, const std::string& name) {
  if (among(kEveryday, name)) return Group::everyday;
  const auto named = [&](const auto& rows, auto member) {
    return std::ranges::any_of(rows, [&](const auto& row) { return flag_name(row.*member) == name; });
  };
  if (among(kOutput, name) || named(task.outputs, &OutputRow::option)) return Group::output;
  if (named(task.options, &OptionRow::name)) return Group::method;
  if (named(option_rows<RunOptions>(), &OptionRow::name) || name == "config") return Group::run;
  return Group::input;
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    std::string text = CLI::Formatter::make_description(app);
    if (!app->get_parent()) {
      text += "\nWhat do you want to know?\n";
      for (const Guide& guide : guides())
        if (!guide.question.empty()) text += fmt::format("  {:<72} ritz {}\n", guide.question, guide.verb);
      const bool describes = std::ranges::any_of(app->get_subcommands([](const CLI::App*) { return true; }),
                                                 [](const CLI::App* verb) { return verb->get_name() == "describe"; });
      return text + "\n'ritz help VERB' shows examples and options" +
             (describes ? "; 'ritz describe FILE' what a table holds and what to ask of it.\n\n" : ".\n\n");
    }
    if (app->get_parent()->get_parent()) return text;  // estimate reduce
    for (const Guide& guide : guides())
      if (guide.verb == app->get_name()) {
        text += "\nExamples:\n";
        for (const std::string_view example : guide.examples) text += fmt::format("  {}\n", example);
        text += "\n";
      }
    return text;
  }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    const auto task = std::ranges::find(tasks(), app->get_name(), &Task::verb);
    if (mode == CLI::AppFormatMode::Sub || task == tasks().end() || app->get_parent()->get_parent())
      return CLI::Formatter::make_help(app, name, mode);
    return make_description(app) + make_usage(app, name) + make_positionals(app) + grouped_options(app, *task) + '\n' +
           make_footer(app);
  }

 private:
  std::string grouped_options(const CLI::App* app, const Task& task) const {
    std::string text;
    for (std::size_t g = 0; g < kTitles.size(); ++g) {
      std::string rows;
      for (const CLI::Option* option : app->get_options())
        if (option->nonpositional() && !option->get_lnames().empty() &&
            std::size_t(group_of(task, option->get_lnames().front())) == g)
          rows += make_option(option, false);
      if (!rows.empty()) text += fmt::format("\n{}:\n{}", kTitles[g], rows);
    }
    return text;
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

std::vector<std::string> in_plain_words(std::vector<std::string> words) {
  if (words.empty()) return words;
  if (words.front() == "version") words.front() = "--version";
  if (words.front() != "help") return words;
  words.erase(words.begin());
  const bool known = words.empty() ||
                     std::ranges::any_of(guides(), [&](const Guide& guide) { return guide.verb == words.front(); }) ||
                     among(std::array<std::string_view, 2>{"bench", "reproduce"}, words.front()) ||
                     std::ranges::any_of(tasks(), [&](const Task& task) { return task.verb == words.front(); });
  if (known) words.emplace_back("--help");
  return words;
}

std::string instead_of(const std::string& verb) {
  static const std::map<std::string, std::string, std::less<>> kElsewhere = {
      {"pca", "ritz unfold X --method pca gives principal components"},
      {"lda", "ritz reduce X --label-column NAME tells classes apart"},
      {"classify", "ritz reduce X --label-column NAME --save-model M, then ritz predict M NEW"},
      {"regress", "ritz reduce X --target-column NAME --folds 5 explains a number"},
      {"tsne", "ritz unfold X --plot map.svg draws samples in two dimensions"},
      {"umap", "ritz unfold X --plot map.svg draws samples in two dimensions"},
      {"mds", "ritz unfold X --plot map.svg draws samples in two dimensions"},
      {"kmeans", "ritz reduce X --mode unsupervised --clusters K finds clusters"},
      {"cluster", "ritz reduce X --mode unsupervised --clusters K finds clusters, ritz kernel with known pairs"},
      {"fit", "ritz reduce, unfold, recluster, kernel, isometry, center and depend fit models"}};
  const auto found = kElsewhere.find(verb);
  return found == kElsewhere.end() ? "" : "; " + found->second;
}

}  // namespace ritz::cli
