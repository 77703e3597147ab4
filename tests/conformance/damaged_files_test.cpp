// SPDX-License-Identifier: MIT
// Cut or altered at random, a file is read, or refused by a sentence that names it; nothing else happens. Meant for the
// sanitizers.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "support/mat_bytes.hpp"
#include "support/npy_bytes.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

struct Sample {
  std::string name, content;
};

std::vector<Sample> samples() {
  const std::string array = npy("<f4", "(7, 5)", bytes_of(std::vector<float>(35, 1.5F)));
  const std::string by_columns = npy("<i2", "(3, 5, 2)", bytes_of(std::vector<std::int16_t>(30, 258)), true);
  const std::string idx = std::string("\0\0\x0B\x02", 4) + big(6, 4) + big(5, 4) + std::string(60, '\7');
  std::string table = "a,b,\"c d\"\n", pairs, market = "%%MatrixMarket matrix coordinate real symmetric\n% x\n9 9 9\n";
  for (int i = 1; i < 10; ++i) {
    const std::string k = std::to_string(i);
    table += k + "." + k + ",-" + k + "e" + k + ",\"" + k + "\"\n";
    pairs += "+1 " + k + ":0.5 " + std::to_string(i + 7) + ":2e-3\n";
    market += "9 " + k + " -" + k + "." + k + "\n";
  }
  std::vector<Sample> all = {{"a.npy", array},
                             {"b.npy", by_columns},
                             {"a.npz", zip({{"X.npy", array}, {"y.npy", by_columns}}, Packing::stored)},
                             {"b.npz", zip({{"X.npy", array}, {"y.npy", by_columns}}, Packing::deflated)},
                             {"a.idx", idx},
                             {"a.csv", table},
                             {"a.mat", mat_header() + mat_matrix(6, 2, 3, "A", mat_doubles({1, 2, 3, 4, 5, 6}))},
                             {"a.libsvm", pairs},
                             {"a.mtx", market},
                             {"b.mtx", "%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n4\n5\n6\n"}};
  const std::size_t plain = all.size();
  for (std::size_t i = 0; i < plain; ++i) all.push_back({all[i].name + ".gz", gzipped(all[i].content)});
  return all;
}

enum class Outcome { read, refused };

Outcome try_reading(const std::string& path) {
  RunContext context;
  context.max_memory = 1 << 24;  // far more than these files need, far less than a wild claim
  Outcome outcome = Outcome::read;
  for (const MissingValues missing : {MissingValues::reject, MissingValues::drop, MissingValues::mean}) try {
      const Dataset data = read_dataset(path, {"", {}, missing}, context);
      RC_ASSERT(data.rows() > 0);
      RC_ASSERT(Index(data.feature_names.size()) == data.cols());
    } catch (const Error& error) {
      RC_ASSERT(std::string(error.what()).find(path) != std::string::npos);
      outcome = Outcome::refused;
    }
  try {
    read_labels(path, context);
    read_matrices(path, context);
  } catch (const Error& error) {
    RC_ASSERT(std::string(error.what()).find(path) != std::string::npos);
  }
  return outcome;
}

}  // namespace

TEST_CASE("whole_files_are_read") {
  const TemporaryFolder folder;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    CHECK(try_reading(folder.file(sample.name, sample.content)) == Outcome::read);
  }
}

TEST_CASE("cut_files_are_read_or_refused") {
  const TemporaryFolder folder;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    CHECK(rc::check([&] {
      const auto length = *rc::gen::inRange<std::size_t>(0, sample.content.size());
      try_reading(folder.file(sample.name, sample.content.substr(0, length)));
    }));
  }
}

TEST_CASE("files_with_altered_bytes_are_read_or_refused") {
  const TemporaryFolder folder;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    CHECK(rc::check([&] {
      Rng random(*rc::gen::arbitrary<std::uint64_t>(), "damage");
      std::string content = sample.content;
      for (Index flips = 1 + random.below(4); flips > 0; --flips)
        content[std::size_t(random.below(Index(content.size())))] = char(random.bits());
      try_reading(folder.file(sample.name, content));
    }));
  }
}

TEST_CASE("arbitrary_bytes_after_a_mark_are_refused_or_read") {
  const TemporaryFolder folder;
  for (const std::string& mark : {std::string("\x93NUMPY\x01\0", 8), std::string("PK\x03\x04"),
                                  std::string("%%MatrixMarket matrix "), std::string("\0\0\x08\x02", 4), std::string()})
    CHECK(rc::check([&] {
      const auto bytes = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
      try_reading(folder.file("a", mark + bytes));
    }));
}
