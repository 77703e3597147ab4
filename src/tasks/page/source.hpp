// SPDX-License-Identifier: MIT
// What the page of a result is made of, the same for a fit and for a model that was read later, and what the pages of
// all tasks have in common. A task adds its own sections by `tell(source, page, context)`; see tasks/row.hpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/page/page.hpp"
#include "ritz/base/context.hpp"
#include "ritz/tasks/model.hpp"

namespace ritz::page {

struct Source {
  Json facts;                     // the task's object, or what a model kept of it
  std::vector<ModelFile> models;  // of each view; none: of a sweep
  const Dataset* data = nullptr;  // the samples
  std::vector<Grouping> groups;   // what else is known of them: the truth, given clusterings
  std::vector<Column> columns;    // and in numbers: targets
  std::string command;            // that repeats the run; empty: not known
};

using Tell = std::function<void(const Source& from, Page& page, const RunContext& context)>;
// The whole page: what `tell` adds, then convergence, notes, options, versions, hash and command. Throws bad_file where
// the facts are not what the task wrote.
std::string written(std::string_view verb, std::string_view summary, const Source& from, const Tell& tell,
                    const RunContext& context);

// --- facts by path, "result.holdout.test"; nothing is thrown where there is none
// --------------------------------------

const Json& at(const Json& facts, std::string_view path);  // null where there is none
double number(const Json& facts, std::string_view path);   // NaN where there is none
Index whole(const Json& facts, std::string_view path);     // 0 where there is none, or none that can be
std::string words(const Json& facts, std::string_view path);
std::vector<double> numbers(const Json& facts, std::string_view path);

// --- parts
// --------------------------------------------------------------------------------------------------------------

bool converged(const Json& facts);
Verdict not_converged(const Json& facts);
// Of bounds on both sides: proven where the gap is within the tolerance, of |value|.
Verdict bounded(const Json& facts, double value, double bound, double tolerance, std::string_view what);

// The rows of Z, named `axis` 1, 2, …, beside the features of largest weight (one a column of the data; empty: the
// first), with labels, names and `from.groups`.
Scatter placed(const Source& from, const RowMatrix& Z, std::string_view axis, const Vector& weight);
// Whether the samples are those that were fitted: a model may be shown with others. True without samples, where what
// the model kept is shown.
bool same_samples(const Source& from);
// Its name, or its number from 0 as in files of pairs.
std::string sample_name(const Source& from, Index i);
// A table of pairs of samples, each of which can be shown among the others where these are the samples that were
// fitted.
struct PairTable {
  PairTable(const Source& from, const std::vector<std::string>& more);  // headings after those of the two
  void add(Index i, Index j, const std::vector<std::string>& more);
  const Source& from;
  bool same;
  TextTable table;
  std::vector<std::vector<Index>> points;
};
// A table of objects of the same keys; keys and headings by pairs. Numbers have four digits.
TextTable table_of(const Json& rows, const std::vector<std::pair<std::string, std::string>>& columns);
std::string joined(const std::vector<std::string>& names, std::size_t most);  // "a, b and c", "a, b and 3 more"

}  // namespace ritz::page
