// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <ostream>

#include "ritz/data/io.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

RowMatrix two_by_two() { return (RowMatrix(2, 2) << 1, 0.1, -2.5e-10, 1e300).finished(); }

}  // namespace

TEST_CASE("matrices_are_written_in_full_precision") {
  const TemporaryFolder folder;
  write_matrix(folder.path("a.csv"), two_by_two());
  write_matrix(folder.path("a.tsv"), two_by_two(), {"u", "v"});
  write_matrix(folder.path("a.txt"), two_by_two());
  write_matrix(folder.path("a.mtx"), two_by_two());

  CHECK(content_of(folder.path("a.csv")) == "1,0.1\n-2.5e-10,1e+300\n");
  CHECK(content_of(folder.path("a.tsv")) == "u\tv\n1\t0.1\n-2.5e-10\t1e+300\n");
  CHECK(content_of(folder.path("a.txt")) == "1 0.1\n-2.5e-10 1e+300\n");
  CHECK(content_of(folder.path("a.mtx")) ==
        "%%MatrixMarket matrix array real general\n2 2\n1\n-2.5e-10\n0.1\n1e+300\n");
}

TEST_CASE("names_that_need_it_are_quoted") {
  const TemporaryFolder folder;
  write_matrix(folder.path("a.csv"), RowMatrix::Ones(1, 4), {"a,b", "say \"hi\"", "#c", " d"});

  CHECK(content_of(folder.path("a.csv")) == "\"a,b\",\"say \"\"hi\"\"\",\"#c\",\" d\"\n1,1,1,1\n");
}

TEST_CASE("npy_elements_begin_on_a_multiple_of_64_bytes") {
  const TemporaryFolder folder;
  for (const Index rows : {1, 12345}) {
    write_matrix(folder.path("a.npy"), RowMatrix::Ones(rows, 2));
    CHECK((content_of(folder.path("a.npy")).size() - std::size_t(rows) * 16) % 64 == 0);
  }
}

TEST_CASE("paths_that_cannot_be_written_are_told_at_once_and_later") {
  const TemporaryFolder folder;
  const std::string file = folder.file("file", "x");
  const auto both = [](const std::string& path, const std::string& reason) {
    const std::string expected = "cannot write " + path + ": " + reason;
    const auto early = complaint([&] { require_writable(path); });
    const auto late = complaint([&] { write_matrix(path, two_by_two()); });
    CHECK(early.code == ErrorCode::unwritable);
    CHECK(early.message == expected);
    CHECK(late.code == ErrorCode::unwritable);
    CHECK(late.message == expected);
  };

  both(folder.path("none/a.csv"), "the folder " + folder.path("none") + " does not exist");
  both(file + "/a.csv", file + " is not a folder");
  std::filesystem::create_directory(folder.path("dir.csv"));
  both(folder.path("dir.csv"), "it is a directory");
  CHECK_NOTHROW(require_writable(folder.path("new.csv")));
  CHECK(folder.file_count() == 2);  // nothing is left of the probe
}

TEST_CASE("a_failed_write_leaves_the_old_file_and_nothing_else") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.csv", "old");

  CHECK_THROWS_AS(write_atomically(path,
                                   [](std::ostream& out) {
                                     out << "half";
                                     throw std::runtime_error("stop");
                                   }),
                  std::runtime_error);

  CHECK(content_of(path) == "old");
  CHECK(folder.file_count() == 1);
}

TEST_CASE("a_full_disk_is_an_error_and_a_device_stays_a_device") {
  if (access("/dev/full", W_OK) != 0) return;
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder.path("full.csv"));
  std::filesystem::create_symlink("/dev/full", folder.path("full.csv.gz"));

  for (const char* name : {"full.csv", "full.csv.gz"}) {
    const auto found = complaint([&] { write_matrix(folder.path(name), RowMatrix::Ones(300, 300)); });
    CHECK(found.code == ErrorCode::write_failed);
    CHECK(found.says("No space left on device"));
  }
  struct stat status {};
  CHECK(stat("/dev/full", &status) == 0);
  CHECK(S_ISCHR(status.st_mode));
}

TEST_CASE("a_link_stays_a_link_and_permissions_stay") {
  const TemporaryFolder folder;
  const std::string target = folder.file("target.csv", "old");
  chmod(target.c_str(), 0600);
  std::filesystem::create_symlink("target.csv", folder.path("link.csv"));

  write_matrix(folder.path("link.csv"), RowMatrix::Ones(1, 1));

  CHECK(std::filesystem::is_symlink(folder.path("link.csv")));
  CHECK(content_of(target) == "1\n");
  struct stat status {};
  stat(target.c_str(), &status);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("unknown_endings_and_wrong_names_are_refused") {
  const TemporaryFolder folder;

  CHECK(complaint([&] { write_matrix(folder.path("a.xyz"), two_by_two()); }).code == ErrorCode::bad_option);
  CHECK(complaint([&] { write_matrix(folder.path("a.csv"), two_by_two(), {"one"}); }).code == ErrorCode::bad_shape);
  CHECK(complaint([&] { write_labels(folder.path("a.npy"), make_labels({"a"})); }).says("'a' is no number"));
  CHECK(folder.file_count() == 0);
}

TEST_CASE("compressed_files_have_the_same_bytes_each_time") {
  const TemporaryFolder folder;
  write_matrix(folder.path("a.csv.gz"), two_by_two());
  write_matrix(folder.path("b.csv.gz"), two_by_two());

  CHECK(content_of(folder.path("a.csv.gz")) == content_of(folder.path("b.csv.gz")));
  CHECK(content_of(folder.path("a.csv.gz")).starts_with("\x1f\x8b"));
}
