// SPDX-License-Identifier: MIT
// A format is a row: what it is called, how it is told, what reads it and what writes it. The row stands in the
// format's own file and is named in format_list.cpp; reading, writing, help, messages and the conformance tests walk
// that list.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/formats/raw_array.hpp"
#include "data/streams/byte_source.hpp"
#include "ritz/base/context.hpp"
#include "ritz/data/io.hpp"

namespace ritz::detail {

// Each reads from where the source stands and throws bad_file naming it.
struct Readers {
  Dataset (&dataset)(ByteSource& source, const ReadOptions& options, const RunContext& context);
  // One a sample; `unlabelled` is one, too (ReadOptions).
  std::vector<std::string> (&labels)(ByteSource& source, const std::string& unlabelled, const RunContext& context);
  std::vector<NamedMatrix> (&matrices)(ByteSource& source, const RunContext& context);  // all that the file holds
};

// Samples on their way to a file.
struct OutputTable {
  const std::string& path;
  const std::string& ending;  // of the path, as the row spells it; empty for standard output
  const Eigen::Ref<const RowMatrix>* dense;
  const SparseRows* sparse;                             // where `dense` is null
  const std::vector<std::string>& names;                // of the columns, or none
  const Labels& labels;                                 // or none
  const std::vector<std::string>* row_names = nullptr;  // before the numbers, in delimited text; names has one more

  Index rows() const { return dense ? dense->rows() : sparse->rows(); }
  Index cols() const { return dense ? dense->cols() : sparse->cols(); }
  void copy_row(Index row, double* out) const;  // one at a time, so that sparse samples need no dense copy
};

// Takes sparse samples as they come: a row's label, then its entries by increasing column, from 0.
class EntrySink {
 public:
  virtual void row(std::string_view label) = 0;
  virtual void entry(Index column, double value) = 0;

 protected:
  ~EntrySink() = default;
};

// What is a reference must be given, or the row does not compile; a pointer that is left out means that the format
// cannot be written, which whoever asks for it is told.
struct FormatRow {
  std::string_view name;  // "NPY"
  std::string_view
      endings;            // of file names, in small letters, blanks between them, the usual one first: ".svm .libsvm"
  std::string_view help;  // one line: what is read, and what is made of it
  // Said of a file that is named so but is not recognised: "it does not begin with PK". Empty: text without a mark.
  std::string_view no_mark;
  bool (&recognised)(std::string_view head);  // from the first bytes, kHeadBytes of them or the whole file
  Readers read;
  // What lets samples stay in their file, or be read a part after the other, where memory cannot hold them: the header
  // of a bare array, which leaves the source at its first element; that lines are samples; or what tells entries.
  RawArray (*array)(ByteSource& source) = nullptr;
  bool lines = false;
  void (*entries)(ByteSource& source, EntrySink& sink, const RunContext& context) = nullptr;  // of sparse samples
  void (*write)(std::ostream& out, const OutputTable& table) = nullptr;
  void (*write_labels)(std::ostream& out, const Labels& labels, const std::string& path) = nullptr;
};

inline constexpr std::size_t kHeadBytes = 64 * 1024;

std::vector<std::string> endings_of(const FormatRow& row);
std::string listed(const std::vector<std::string>& words, std::string_view last);  // "a, b or c"
std::string lower(std::string_view text);
// The shortest text that reads back to the same double, without a string for each.
void append_number(std::string& text, double value);
// Labels as numbers; throws bad_option, naming the path, for one that is none.
Vector label_numbers(const Labels& labels, const std::string& path);

// The first row is delimited text: what no other format recognises.
std::span<const FormatRow* const> format_rows();

// Bytes that mark a format count more than the name; a name that promises a marked format without its bytes is an
// error. Text without a mark is of the format that its name says, or the lines look like. .txt says nothing.
const FormatRow& format_of(const std::string& path, ByteSource& source);

// Which row a file's name asks for; null when none. `ending` is how the row spells the end of the name.
struct NamedFormat {
  const FormatRow* row = nullptr;
  std::string ending{};
};
NamedFormat format_named(const std::string& path);

// One more row as long as it lives: a test proves with it that a row is all that a format needs.
class FurtherFormat {
 public:
  explicit FurtherFormat(const FormatRow& row);
  FurtherFormat(const FurtherFormat&) = delete;
  FurtherFormat& operator=(const FurtherFormat&) = delete;
  ~FurtherFormat();
};

}  // namespace ritz::detail
