// SPDX-License-Identifier: MIT
// Readers and writers. Formats are told by the file's name and its first bytes; each may be gzipped; "-" is standard
// input. A reader trusts nothing: sizes are checked against the file before memory is taken, and an error names the
// file, the row and the column. formats() lists what there is: `ritz list formats`.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/text.hpp"
#include "ritz/data/columns.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

struct FormatFacts {
  std::string name;                  // "NPY"
  std::vector<std::string> endings;  // of file names, the usual one first: ".npy"; each also with .gz
  std::string help;                  // one line: what is read, and what is made of it
  bool writes_samples, writes_labels;
};
std::vector<FormatFacts> formats();
// "CSV, NPY, … or MAT", with that word before the last.
std::string format_names(std::string_view last = "or");

struct ReadOptions {
  std::string label_column;               // name or 1-based number of the column that holds the labels; empty: none
  std::vector<std::string> drop_columns;  // names or 1-based numbers
  MissingValues missing = MissingValues::reject;  // empty fields, NA, NaN, ?, null, #N/A, <NA>, \\N, ".", …
  std::vector<std::string> target_columns{};  // names or 1-based numbers; a row without one is dropped, never filled
  std::string id_column{};   // name or 1-based number of the column that holds the samples' names; empty: none
  std::string unlabelled{};  // a label like any other, also where it reads as a missing one ("?")
  std::vector<std::string> columns{};  // names or 1-based numbers: no others are data; empty: all
  std::vector<std::string> kinds{};    // "color=category": see read_kind; what is not named is recognised
  // Of a fit: its columns are taken, by name where both files have names, and made numbers as there. `columns` and
  // `kinds` do not apply, and where `missing` rejects, gaps are settled as the fit did.
  std::shared_ptr<const TableRecipe> recipe{};
  UnseenLevels unseen = UnseenLevels::reject;
  bool as_fitted = false;  // the fit's own file: its label column, too, and no row that lacked a target
  bool may_stay = false;   // samples that would take too much of the memory stay in the file: Dataset::stored()
};
// A list of columns may also be one word with commas, "a,b", where no column is called so.

// Reads samples. Columns that are no numbers become some (columns.hpp), and Dataset::recipe says how; ids and counters
// of rows are left out, with a note. Throws bad_file naming all columns that would be of no use. Infinite values are
// always an error; a row without its label is dropped unless missing values are rejected. Polls the context (Ctrl-C)
// and respects context.max_memory.
Dataset read_dataset(const std::string& path, const ReadOptions& options, const RunContext& context);
// One label a line or a one-column/one-array file of any of the formats; texts are allowed in delimited text. A first
// line is a header when it is no number and all the others are. `unlabelled`: see ReadOptions.
Labels read_labels(const std::string& path, const RunContext& context, const std::string& unlabelled = {});
// A plain matrix (a projection, a basis, targets), dense.
RowMatrix read_matrix(const std::string& path, const RunContext& context);
// All matrices of a file: the arrays of .npz and .mat, in its order, else the one table that it is, without a name.
std::vector<NamedMatrix> read_matrices(const std::string& path, const RunContext& context);

// Writes beside `path` under a temporary name, flushes, and renames: never a half-written file. `fill` writes the
// content. Throws ErrorCode::unwritable or write_failed naming the path and the reason, and lets Interrupted through,
// which leaves nothing. "-" is standard output; a device or a pipe is written to as it is, and a link keeps pointing to
// the file that is replaced or made.
void write_atomically(const std::string& path, const std::function<void(std::ostream&)>& fill,
                      const RunContext& context = {});
// Throws ErrorCode::unwritable now rather than after hours of work: the folder exists and takes new files. Temporary
// files that killed writers of this path have left are removed.
void require_writable(const std::string& path);
// Throws bad_option when the name's ending does not say a format that write_matrix (write_labels) can write.
void require_matrix_format(const std::string& path);
void require_labels_format(const std::string& path);

// The ending picks the format, in full precision; a further .gz compresses. "-" is CSV. Delimited text has a header
// where names are given.
void write_matrix(const std::string& path, DataView values, const std::vector<std::string>& column_names = {},
                  const RunContext& context = {});
// Names of the classes, one a line; formats of arrays take numbers only. An ending that is not known is text.
void write_labels(const std::string& path, const Labels& labels, const RunContext& context = {});
// The samples, with the feature names as header in delimited text. Only LIBSVM carries the labels too.
void write_dataset(const std::string& path, const Dataset& data, const RunContext& context = {});

// --- what a file holds, before anything is done with it
// ---------------------------------------------------------------

struct ColumnFacts {
  Column column;
  std::string why{};  // it would be of no use as it is; empty: it is fine
  Index missing = 0, distinct = 0;
  double low = kUnknown, high = kUnknown, mean = kUnknown;  // of numbers, dates and flags
  std::vector<std::pair<std::string, Index>> counts{};      // of texts and flags, the most frequent first
  bool constant() const { return distinct <= 1; }
};

struct TableFacts {
  std::string source;
  Index rows = 0;
  std::vector<ColumnFacts> columns;
  bool sparse = false;  // then there are no facts of the columns
  Index sparse_columns = 0;
  Index incomplete = 0;  // rows with a missing value
  Index duplicates = 0;  // rows that are the same as one before, names of rows aside
  std::vector<std::string> notes{};
};

// Reads the file as read_dataset would with these options, and refuses no column.
TableFacts describe_table(const std::string& path, const ReadOptions& options, const RunContext& context);

}  // namespace ritz
