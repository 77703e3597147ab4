// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"
#include "ritz/tasks/model.hpp"

using namespace ritz;

namespace {

struct Scratch {  // a path of our own, removed at the end
  std::string path =
      (std::filesystem::temp_directory_path() / ("ritz_model_test_" + std::to_string(getpid()))).string();
  ~Scratch() { std::filesystem::remove(path); }
};

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void put_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
}

ModelFile example() {
  ModelFile model;
  model.method = "ism";
  model.arrays["W"] = Rng(1, "w").normal_matrix(7, 2);
  model.arrays["mean"] = Rng(2, "m").normal_matrix(7, 1);
  model.info = R"json({"kernel":"gaussian(sigma=2)","names":["a","b"]})json";
  return model;
}

}  // namespace

TEST_CASE("a saved model comes back bit for bit") {
  const Scratch scratch;
  const ModelFile model = example();

  save_model(scratch.path, model);
  const ModelFile back = load_model(scratch.path);

  CHECK(back.method == model.method);
  CHECK(back.info == model.info);
  REQUIRE(back.arrays.size() == 2);
  CHECK(back.arrays.at("W") == model.arrays.at("W"));
  CHECK(back.arrays.at("mean") == model.arrays.at("mean"));
}

TEST_CASE("every truncation and every altered byte is refused as a bad file") {
  const Scratch scratch;
  save_model(scratch.path, example());
  const std::string whole = bytes_of(scratch.path);

  for (std::size_t size = 0; size < whole.size(); size += 3) {
    put_bytes(scratch.path, whole.substr(0, size));
    CHECK_THROWS_AS(load_model(scratch.path), Error);
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string altered = whole;
    altered[at] = char(altered[at] ^ 0x41);
    put_bytes(scratch.path, altered);
    CHECK_THROWS_AS(load_model(scratch.path), Error);
  }
  put_bytes(scratch.path, whole + "x");
  CHECK_THROWS_AS(load_model(scratch.path), Error);
}

TEST_CASE("a header that claims huge arrays is refused before memory is taken") {
  const Scratch scratch;
  save_model(scratch.path, example());
  std::string bytes = bytes_of(scratch.path);
  const std::size_t at = bytes.find("\"rows\":7");
  REQUIRE(at != std::string::npos);
  // Same length, so that only the number lies.
  bytes.replace(bytes.find("\"cols\":2"), 8, "\"cols\":9");
  put_bytes(scratch.path, bytes);

  CHECK_THROWS_WITH_AS(
      load_model(scratch.path),
      (scratch.path + ": the model file is truncated or altered (an array is larger than the file)").c_str(), Error);
}

TEST_CASE("a missing file and a folder are named") {
  CHECK_THROWS_WITH_AS(load_model("no/such/model.ritz"), "no such file: no/such/model.ritz", Error);
  CHECK_THROWS_AS(load_model(std::filesystem::temp_directory_path().string()), Error);
}
