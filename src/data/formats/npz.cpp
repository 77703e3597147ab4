// SPDX-License-Identifier: MIT
// NPZ: a ZIP archive of NPY files.
#include <fmt/format.h>

#include <string>

#include "data/formats/readers.hpp"
#include "data/streams/zip_archive.hpp"

namespace ritz::detail {

namespace {

std::string array_name(const ZipMember& member) {
  std::string name = member.name;
  if (name.ends_with(".npy")) name.resize(name.size() - 4);
  return name;
}

const ZipMember& chosen(const ZipArchive& archive, std::span<const std::string_view> names, const ByteSource& source) {
  for (const std::string_view wanted : names)
    for (const ZipMember& member : archive.members())
      if (array_name(member) == wanted) return member;
  if (archive.members().size() == 1) return archive.members().front();
  if (archive.members().empty()) source.fail("the archive holds no arrays");
  std::string known;
  for (const ZipMember& member : archive.members()) known += (known.empty() ? "" : ", ") + array_name(member);
  source.fail(fmt::format("the archive holds several arrays and none is called {}; it has: {}", names.front(), known));
}

}  // namespace

RowMatrix read_npz(ByteSource& source, std::span<const std::string_view> names, const RunContext& context) {
  const ZipArchive archive(source, context);
  ByteSource array = archive.open(chosen(archive, names, source));
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

}  // namespace ritz::detail
