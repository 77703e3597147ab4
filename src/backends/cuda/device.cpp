// SPDX-License-Identifier: MIT
#include "backends/cuda/device.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <future>
#include <mutex>

#include "base/module.hpp"
#include "model/kernel_list.hpp"
#include "ritz/base/version.hpp"

namespace ritz::device {

namespace {

constexpr Index kRowsUp = 8192;  // of samples at a time

std::mutex& one_call() {
  static std::mutex mutex;
  return mutex;
}

Device loaded() {
  Device found;
  const std::string& path = module_path();
  if (path.empty()) {
    found.why = fmt::format("{} is neither in $RITZ_PLUGINS nor in ../lib/ritz beside the program", kModule);
    return found;
  }
  // The module's libraries are large: they are not loaded where there is no driver for them.
  if (const char* given = std::getenv("RITZ_PLUGINS"); (!given || !*given) && !dlopen("libcuda.so.1", RTLD_LAZY)) {
    found.why = "there is no NVIDIA driver";
    return found;
  }
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    found.why = fmt::format("{} cannot be loaded: {}", path, dlerror());
    return found;
  }
  const auto entry = reinterpret_cast<const Table* (*)()>(dlsym(library, kEntry));
  const Table* table = entry ? entry() : nullptr;
  if (!table || table->layout != kLayout || std::string_view(table->version) != version()) {
    found.why = fmt::format("{} is not of this version, {}", path, version());
    return found;
  }
  if (table->open(&found.facts) == fine)
    found.table = table;
  else
    found.why = table->message();
  return found;
}

}  // namespace

const std::string& module_path() {
  static const std::string path = ritz::module_path(kModule);
  return path;
}

const Device& device() {
  static const Device one = loaded();
  return one;
}

void start_in_background() {
  if (!module_path().empty())
    static const std::future<void> starting = std::async(std::launch::async, [] { device(); });
}

void check_status(int status, const RunContext& context) {
  if (status == fine) return;
  if (status == stopped) context.poll();
  throw DeviceFailure(status == out_of_memory, fmt::format("{}: {}", device().facts.name, device().table->message()));
}

std::unique_lock<std::mutex> alone() { return std::unique_lock(one_call()); }

double free_bytes(const RunContext& context) {
  double bytes = 0;
  run(context, [&](const Table& table) { return table.free_bytes(&bytes); });
  return bytes;
}

DeviceSamples::DeviceSamples(const Samples& X, Range rows, const RunContext& context) {
  void* made = nullptr;
  run(context, [&](const Table& table) { return table.make(rows.size(), X.cols(), &made); });
  handle_.reset(made);
  RowMatrix buffer;
  for (Index first = rows.begin; first < rows.end; first += kRowsUp) {
    context.poll();
    const Range part{first, std::min(first + kRowsUp, rows.end)};
    const double* data = X.rows_block(part, buffer);
    run(context, [&](const Table& table) {
      return table.put_rows(get(), part.begin - rows.begin, part.size(), data, X.cols());
    });
  }
}

void DeviceSamples::Drop::operator()(void* samples) const {
  const auto lock = alone();
  device().table->drop(samples);
}

std::vector<Term> terms_of(const KernelSum& rows, const KernelSum& columns, Index first_row) {
  std::vector<Term> terms;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    Term term{int((*columns[k].kernel).index()), columns[k].weight, {}, nullptr, nullptr};
    std::visit(
        [&](const auto& kernel) {
          static_assert(sizeof kernel <= kObject);
          std::memcpy(term.object, &kernel, sizeof kernel);
        },
        *columns[k].kernel);
    if (columns[k].sample_scale) {
      term.row_scale = rows[k].sample_scale->data() + first_row;
      term.column_scale = columns[k].sample_scale->data();
    }
    terms.push_back(term);
  }
  return terms;
}

std::optional<std::string> own_functions(const KernelSum& kernel) {
  for (const KernelTerm& term : kernel)
    if (std::visit([](const auto& each) { return !kListed<std::decay_t<decltype(each)>>; }, *term.kernel))
      return kernel_text({term});
  return std::nullopt;
}

Sweep sweep_of(const Matrix* W, Index q, const std::vector<Term>& terms, const RunContext& context) {
  const auto stop = [](const void* ask) {
    try {
      static_cast<const RunContext*>(ask)->poll();
      return 0;
    } catch (const Interrupted&) {  // exceptions do not cross the table
      return 1;
    }
  };
  return {W ? W->data() : nullptr, q, terms.data(), int(terms.size()), 0, stop, &context};
}

}  // namespace ritz::device
