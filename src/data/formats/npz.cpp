// SPDX-License-Identifier: MIT
// NPZ: a ZIP archive of NPY files.
#include <string>

#include "data/formats/array_readers.hpp"
#include "data/formats/raw_array.hpp"
#include "data/streams/zip_archive.hpp"

namespace ritz::detail {

namespace {

std::string array_name(const ZipMember& member) {
  std::string name = member.name;
  if (name.ends_with(".npy")) name.resize(name.size() - 4);
  return name;
}

bool is_npz(std::string_view head) { return head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06"); }

RowMatrix read_npz(ByteSource& source, std::span<const std::string_view> wanted, const RunContext& context) {
  const ZipArchive archive(source, context);
  std::vector<std::string> names;
  for (const ZipMember& member : archive.members()) names.push_back(array_name(member));
  ByteSource array = archive.open(archive.members()[chosen_array(names, wanted, source)]);
  return read_npy(array, context);
}

std::vector<NamedMatrix> read_npz_all(ByteSource& source, const RunContext& context) {
  const ZipArchive archive(source, context);
  std::vector<NamedMatrix> found;
  for (const ZipMember& member : archive.members()) {
    ByteSource array = archive.open(member);
    found.push_back({array_name(member), read_npy(array, context)});
  }
  return found;
}

}  // namespace

extern const FormatRow npz_format = {
    .name = "NPZ",
    .endings = ".npz",
    .help = "NumPy archive: the array named X (labels: y), else the only one",
    .no_mark = "it does not begin with PK",
    .recognised = is_npz,
    .read = archive_readers<read_npz, read_npz_all>,
};

}  // namespace ritz::detail
