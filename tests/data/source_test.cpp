// SPDX-License-Identifier: MIT
// What every format shares: paths, gzip, standard input.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include "ritz/data/io.hpp"
#include "support/errors.hpp"
#include "support/npy_bytes.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

// Standard input comes from a file, or from a pipe (no size, no seeking), while it lives.
class StandardInput {
 public:
  explicit StandardInput(const std::string& path) : before_(dup(STDIN_FILENO)) {
    const int file = open(path.c_str(), O_RDONLY);
    dup2(file, STDIN_FILENO);
    close(file);
  }
  struct Piped {
    std::string content;  // less than a pipe holds
  };
  explicit StandardInput(const Piped& piped) : before_(dup(STDIN_FILENO)) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    REQUIRE(write(ends[1], piped.content.data(), piped.content.size()) == ssize_t(piped.content.size()));
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;
  ~StandardInput() {
    dup2(before_, STDIN_FILENO);
    close(before_);
  }

 private:
  int before_;
};

RowMatrix two_by_three() { return (RowMatrix(2, 3) << 1, 2, 3, 4, 5, 6).finished(); }
const std::string kArray = npy("<f8", "(2, 3)", bytes_of(std::vector<double>{1, 2, 3, 4, 5, 6}));

}  // namespace

TEST_CASE("paths_that_cannot_be_read_are_told_in_one_sentence") {
  const TemporaryFolder folder;
  const std::string empty = folder.file("empty.csv", "");

  CHECK(complaint([&] { read_dataset(folder.path("none.csv"), {}, {}); }).message ==
        "no such file: " + folder.path("none.csv"));
  CHECK(complaint([&] { read_dataset(folder.path(), {}, {}); }).message == folder.path() + " is a directory");
  CHECK(complaint([&] { read_dataset(empty, {}, {}); }).message == empty + " is empty");
  CHECK(complaint([&] { read_labels(empty, {}); }).message == empty + " is empty");
  CHECK(complaint([&] { read_dataset(empty + "/x", {}, {}); }).message ==
        "cannot open " + empty + "/x: Not a directory");
  CHECK(complaint([&] { read_dataset("", {}, {}); }).code == ErrorCode::bad_file);
}

TEST_CASE("gzip_is_told_by_its_bytes_not_by_the_name") {
  const TemporaryFolder folder;
  const std::string text = "1,2,3\n4,5,6\n";

  CHECK(read_matrix(folder.file("a.csv.gz", gzipped(text)), {}) == two_by_three());
  CHECK(read_matrix(folder.file("a.csv", gzipped(text)), {}) == two_by_three());
  CHECK(read_matrix(folder.file("b.csv.gz", text), {}) == two_by_three());
  CHECK(read_matrix(folder.file("two.csv.gz", gzipped("1,2,3\n") + gzipped("4,5,6\n")), {}) == two_by_three());
}

TEST_CASE("damaged_gzip_is_an_error") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += std::to_string(i * 7919 % 1000) + "\n";
  const std::string packed = gzipped(text);
  std::string flipped = packed;
  flipped[flipped.size() - 6] ^= 1;  // the checksum

  CHECK(complaint([&] {
          read_matrix(folder.file("a.csv.gz", packed.substr(0, packed.size() / 2)), {});
        }).says("the gzip data ends too early"));
  CHECK(complaint([&] {
          read_matrix(folder.file("a.csv.gz", packed.substr(0, packed.size() - 4)), {});
        }).says("the gzip data ends too early"));
  CHECK(complaint([&] { read_matrix(folder.file("a.csv.gz", flipped), {}); }).says("the gzip data is damaged"));
}

TEST_CASE("every_format_is_read_from_standard_input") {
  const std::string idx = std::string("\0\0\x08\x02", 4) + big(2, 4) + big(3, 4) + "\x01\x02\x03\x04\x05\x06";
  for (const std::string& content :
       {std::string("1,2,3\n4,5,6\n"), std::string("a\tb\tc\n1\t2\t3\n4\t5\t6\n"), kArray, idx,
        zip({{"X.npy", kArray}}, Packing::deflated), zip({{"X.npy", kArray}}, Packing::stored),
        std::string("1 1:1 2:2 3:3\n0 1:4 2:5 3:6\n"),
        std::string("%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n")})
    for (const std::string& bytes : {content, gzipped(content)}) {
      const TemporaryFolder folder;
      {
        const StandardInput input(folder.file("input", bytes));
        CHECK(read_matrix("-", {}) == two_by_three());
      }
      {
        const StandardInput input(StandardInput::Piped{bytes});
        CHECK(read_matrix("-", {}) == two_by_three());
      }
    }
}

TEST_CASE("messages_speak_of_standard_input") {
  const StandardInput input(StandardInput::Piped{"1,2\n3,x\n"});

  CHECK(complaint([] { read_matrix("-", {}); }).message == "standard input, line 2, column 2: 'x' is not a number");
}

TEST_CASE("unknown_binary_content_is_refused") {
  const TemporaryFolder folder;
  const std::string image = folder.file("a.png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16));

  CHECK(complaint([&] { read_matrix(image, {}); }).code == ErrorCode::bad_file);
  CHECK(complaint([&] { read_matrix(folder.file("a.h5", "\x89HDF\r\n\x1a\n"), {}); }).says("HDF5"));
}
