// SPDX-License-Identifier: MIT
#include "bindings/session.hpp"

#include <algorithm>

#include "base/controls.hpp"
#include "base/machine.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"
#include "ritz/data/io.hpp"
#include "ritz/pairs/backend.hpp"
#include "ritz/tasks/task.hpp"

namespace ritz::python {

Session::Session(RunWords words) : observer_(std::move(words.observer)) {
  context_.threads = words.threads;
  context_.seed = words.seed;
  backend_ = backend_for_run(words.backend);
  context_.backend = backend_.get();
  context_.cancel = &cancelled_;
  if (const std::size_t free = available_memory_bytes(); free > 0) context_.max_memory = free;
  if (!words.max_memory.empty()) {
    const auto bytes = read_bytes(words.max_memory);
    if (!bytes || *bytes == 0)
      throw Error(ErrorCode::bad_option,
                  "max_memory='" + words.max_memory + "' cannot be read; expected a size such as 400M or 2G");
    context_.max_memory = *bytes;
  }
  if (words.time_limit >= 0 && words.time_limit < 1e9)
    context_.deadline =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(words.time_limit));
  if (!observer_.is_none()) context_.observer = [this](const Progress& progress) { return observe(progress); };
}

Next Session::observe(const Progress& progress) {
  const py::gil_scoped_acquire lock;
  if (stopped_) return Next::stop;  // what was being tried is not all of the run
  try {
    const py::object answer = observer_(std::string(progress.path), progress.iteration, progress.objective,
                                        progress.measure, progress.seconds);
    stopped_ = py::bool_(answer);
    return stopped_ ? Next::stop : Next::go_on;
  } catch (py::error_already_set& raised) {
    keep(raised);
    return Next::stop;
  }
}

void Session::keep(py::error_already_set raised) {
  cancelled_ = true;
  if (!error_.is_none()) return;
  error_ = raised.value();
  if (raised.trace()) PyException_SetTraceback(error_.ptr(), raised.trace().ptr());
}

void Session::raise_error() const {
  if (error_.is_none()) return;
  PyErr_SetObject(py::type::of(error_).ptr(), error_.ptr());
  throw py::error_already_set();
}

// --- errors ---------------------------------------------------------------------------------------------------------

namespace {

// As a parameter of an estimator; lambda is a word of the language.
std::string parameter(const std::string& name) {
  if (name == "labels") return "y";
  if (name == "seed") return "random_state";
  if (name == "threads") return "n_jobs";
  if (name == "na") return "missing";
  if (name == "kind") return "kinds";
  return name == "lambda" ? "lambda_" : name;
}

bool is_choice(const std::string& name, const std::string& word) {
  if (name == "missing") return TextForm<MissingValues>::parse(word).has_value();
  for (const Task& task : tasks())
    for (const OptionRow& row : task.options)
      if (parameter(row.name) == name && std::ranges::find(row.choices, word) != row.choices.end()) return true;
  return false;
}

// The value that stands after an option, and how Python writes it: 3, 'semi', K. Empty: what follows is no value.
std::string value_of(const std::string& name, const std::string& word) {
  if (word.empty()) return "";
  if (is_choice(name, word) || word == "auto") return '\'' + word + '\'';
  if (word == "nan" || word == "inf" || word == "-inf") return word;
  if (word == "true" || word == "false") return word == "true" ? "True" : "False";
  const bool number =
      word.find_first_not_of("0123456789.-+e") == std::string::npos && word.find_first_of("0123456789") < 2;
  const bool stands_for_one = word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
  return number || stands_for_one ? word : "";
}

// Of ": cannot read 'VALUE'; expected …" behind an option: "=VALUE; it must be …", choices in a list. What is neither a
// number nor a choice was a text. Empty: something else follows.
std::string refused_value(const std::string& name, std::string_view rest) {
  constexpr std::string_view kRead = ": cannot read '", kExpected = "'; expected ";
  const std::size_t end = rest.find(kExpected);
  if (!rest.starts_with(kRead) || end == std::string_view::npos) return "";
  const std::string word(rest.substr(kRead.size(), end - kRead.size())), known = value_of(name, word);
  std::string must(rest.substr(end + kExpected.size()));
  for (std::size_t at = 0; (at = must.find('|', at)) != std::string::npos; at += 2) must.replace(at, 1, ", ");
  return '=' + (known.empty() ? '\'' + word + '\'' : known) + "; it must be " + must;
}

constexpr char kBegin = 1, kEnd = 2;  // around the name of an option

// What a command names by an option with a file, Python has as an argument, an attribute or a function.
constexpr std::pair<std::string_view, std::string_view> kElsewhere[] = {
    {"y=FILE or label_column=NAME", "y"},
    {"given=FILE, a label a line", "y"},
    {"pairs=FILE", "must_link or cannot_link"},
    {"scores=FILE", "scores"},
    {"graph=FILE", "graph"},
    {"y=FILE", "y"},
    {", or give a truth", ", or give y"},
    {"plot=FILE, plot_path=FILE", "ritz.plotting"},
    {"plot=FILE", "ritz.plotting"},
    {"save_model=FILE", "save(FILE)"},
    {"save_labels=FILE", "labels_"},
    {"save_distances=FILE", "distances_"},
    {"save_features=FILE", "features=True"},
    {"give group_column", "give y"},
    {" (group_column)", ""},
    {"; sweep=0.1,0.2,0.4 shows the trade", ""},
    {" sweep,", ""},
    {"'ritz check'", "check"},
    {"'ritz reduce'", "ritz.ISM"},
};

std::string with_attributes(std::string text) {
  for (const auto& [option, python] : kElsewhere)
    for (std::size_t at = 0; (at = text.find(option, at)) != std::string::npos; at += python.size())
      text.replace(at, option.size(), python);
  return text;
}

}  // namespace

std::string in_python(const std::string& message) {
  const std::string marked = in_words_of(
      message, [](const std::string& name) { return std::string(1, kBegin).append(parameter(name)) + kEnd; });
  std::string out;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked[i] != kBegin) {
      out += marked[i];
      continue;
    }
    const std::size_t end = marked.find(kEnd, i);
    const std::string name = marked.substr(i + 1, end - i - 1);
    out += name;
    i = end;
    if (const std::string refused = refused_value(name, std::string_view(marked).substr(end + 1)); !refused.empty()) {
      out += refused;
      break;
    }
    std::size_t first = end + 1;  // of " is VALUE" or " VALUE"
    if (marked.compare(first, 4, " is ") == 0) first += 3;
    if (first >= marked.size() || marked[first] != ' ') continue;
    std::size_t last = std::min(marked.find_first_of(" ;,:", first + 1), marked.size());
    const std::string value = value_of(name, marked.substr(first + 1, last - first - 1));
    if (value.empty()) continue;
    out += '=' + value;
    i = last - 1;
  }
  return with_attributes(std::move(out));
}

void translate_errors() {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      const std::string text = printable(in_python(error.what()), LineEnds::escaped);
      PyObject* kind = PyExc_ValueError;
      if (error.code() == ErrorCode::memory) kind = PyExc_MemoryError;
      if (error.code() == ErrorCode::unwritable || error.code() == ErrorCode::bad_file) kind = PyExc_OSError;
      if (text.starts_with("no such file")) kind = PyExc_FileNotFoundError;
      // Names of files may be any bytes.
      const auto said = py::reinterpret_steal<py::object>(
          PyUnicode_DecodeUTF8(text.data(), py::ssize_t(text.size()), "surrogateescape"));
      PyErr_SetObject(kind, said.ptr());
    } catch (const Interrupted& interrupted) {
      const bool limit = interrupted.why == Interrupted::Why::time_limit;
      PyErr_SetString(limit ? PyExc_TimeoutError : PyExc_KeyboardInterrupt,
                      limit ? "the time limit is reached before there is a result" : "interrupted");
    }
  });
}

}  // namespace ritz::python
