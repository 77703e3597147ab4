// SPDX-License-Identifier: MIT
// Which format a file is in, told by its first bytes and its name.
#pragma once

#include <string>
#include <string_view>

#include "data/streams/byte_source.hpp"

namespace ritz::detail {

enum class Format { delimited, npy, npz, idx, libsvm, matrix_market, mat };

// ".csv" of "a/b.CSV.gz": lower case, without a final .gz; "" when there is none.
std::string extension(std::string_view path);

// Bytes that mark a format count more than the name; a name that promises a marked format without its bytes is an
// error. Files without mark are delimited text, or LIBSVM when the name says so or says nothing and the lines look it.
Format detect_format(const std::string& path, ByteSource& source);

}  // namespace ritz::detail
