//===- Npz.cpp - NumPy files ----------------------------------------------===//
//
// The header of an .npy is a Python dictionary with three keys; values are
// found by key, so their order and spacing do not matter.
//
//===----------------------------------------------------------------------===//
#include "Npz.h"

#include <zip.h>

#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>

namespace kclaw {

static constexpr std::string_view bf16Ending = "_bf16";

static std::unexpected<Error> bad(const std::string &what) {
  return makeError(Error::Code::Invalid, what);
}

//===----------------------------------------------------------------------===//
// .npy
//===----------------------------------------------------------------------===//

namespace {
struct DescrRow {
  std::string_view descr; ///< without byte order
  DType dtype;
};
} // namespace

static constexpr DescrRow descrTable[] = {
    {"f8", DType::f64},    {"f4", DType::f32}, {"f2", DType::f16},
    {"u2", DType::bf16},   {"i8", DType::i64}, {"i4", DType::i32},
    {"i2", DType::i16},    {"i1", DType::i8},  {"u1", DType::u8},
    {"b1", DType::boolean}};

/// The text after "'key':" in the header's dictionary.
static std::string_view valueOf(std::string_view header, std::string_view key) {
  size_t at = header.find("'" + std::string(key) + "'");
  if (at == std::string_view::npos)
    return {};
  at = header.find(':', at);
  if (at == std::string_view::npos)
    return {};
  std::string_view rest = header.substr(at + 1);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest;
}

static std::optional<std::vector<int64_t>> parseShape(std::string_view text) {
  size_t end = text.find(')');
  if (text.empty() || text.front() != '(' || end == std::string_view::npos)
    return std::nullopt;
  text = text.substr(1, end - 1);
  std::vector<int64_t> shape;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
    if (text.empty())
      return shape;
    int64_t size = 0;
    auto [next, error] =
        std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || size < 0)
      return std::nullopt;
    shape.push_back(size);
    text.remove_prefix(next - text.data());
  }
}

static Expected<DType> parseDescr(std::string_view text, bool isBf16) {
  if (text.size() < 5 || text.front() != '\'')
    return bad("descr is not a plain type; structured arrays are not read");
  std::string_view descr = text.substr(1, text.find('\'', 1) - 1);
  if (descr.empty() || descr.front() == '>')
    return bad("big-endian data; save it in native byte order");
  std::string_view name = descr.substr(1);
  for (const DescrRow &row : descrTable)
    if (row.descr == name && (row.dtype == DType::bf16) == isBf16)
      return row.dtype;
  return bad("dtype '" + std::string(descr) +
             (isBf16 ? "' under a key that ends in _bf16; uint16 expected"
                     : "' is not one of float64/32/16, int64/32/16/8, uint8, "
                       "bool (bfloat16: uint16 under a key ending in _bf16)"));
}

static Expected<Array> parseNpy(std::string_view file, bool isBf16) {
  if (file.size() < 10 || file.substr(0, 6) != "\x93NUMPY")
    return bad("not an .npy file (no NUMPY magic)");
  int version = static_cast<unsigned char>(file[6]);
  size_t lengthBytes = version == 1 ? 2 : 4;
  size_t length = 0;
  if (file.size() < 8 + lengthBytes)
    return bad("cut off in the header");
  std::memcpy(&length, file.data() + 8, lengthBytes);
  size_t start = 8 + lengthBytes + length;
  if (version < 1 || version > 3 || start > file.size())
    return bad("cut off or of an unknown version");
  std::string_view header = file.substr(8 + lengthBytes, length);

  Array array;
  Expected<DType> dtype = parseDescr(valueOf(header, "descr"), isBf16);
  if (!dtype)
    return std::unexpected(dtype.error());
  array.dtype = *dtype;
  auto shape = parseShape(valueOf(header, "shape"));
  if (!shape)
    return bad("the header has no readable shape");
  array.shape = *shape;
  if (valueOf(header, "fortran_order").starts_with("True") && shape->size() > 1)
    return bad("Fortran order; save numpy.ascontiguousarray of it");
  size_t size = info(array.dtype).sizeBytes;
  for (int64_t extent : array.shape)
    if (__builtin_mul_overflow(size, size_t(extent), &size))
      return bad("a shape that no memory holds");
  if (file.size() - start < size)
    return bad("holds " + std::to_string(file.size() - start) +
               " bytes of data, " + std::to_string(size) + " expected for " +
               describe(array.dtype, array.shape));
  array.bytes.resize(size);
  std::memcpy(array.bytes.data(), file.data() + start, size);
  return array;
}

static std::string renderNpy(const Array &array) {
  std::string descr;
  for (const DescrRow &row : descrTable)
    if (row.dtype == array.dtype)
      descr = (info(array.dtype).sizeBytes == 1 ? "|" : "<") +
              std::string(row.descr);
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : array.shape)
    header += std::to_string(size) + ",";
  header += "), }";
  header.resize((10 + header.size() + 64) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  uint16_t length = static_cast<uint16_t>(header.size());
  std::string file("\x93NUMPY\x01\x00", 8);
  file.append(reinterpret_cast<const char *>(&length), 2);
  file += header;
  file.append(reinterpret_cast<const char *>(array.bytes.data()),
              array.bytes.size());
  return file;
}

static bool takeBf16Ending(std::string &key) {
  if (!key.ends_with(bf16Ending))
    return false;
  key.resize(key.size() - bf16Ending.size());
  return true;
}

//===----------------------------------------------------------------------===//
// .npz
//===----------------------------------------------------------------------===//

namespace {
struct ZipDiscard {
  void operator()(zip_t *zip) const { zip_discard(zip); }
};
struct ZipFileClose {
  void operator()(zip_file_t *file) const { zip_fclose(file); }
};
using Zip = std::unique_ptr<zip_t, ZipDiscard>;
} // namespace

static Expected<Zip> openZip(const std::string &path, int flags) {
  int code = 0;
  if (zip_t *zip = zip_open(path.c_str(), flags, &code))
    return Zip(zip);
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return makeError(Error::Code::Io, text);
}

static Expected<std::string> readMember(zip_t *zip, zip_uint64_t index) {
  zip_stat_t stat;
  if (zip_stat_index(zip, index, 0, &stat) != 0)
    return bad(zip_strerror(zip));
  std::unique_ptr<zip_file_t, ZipFileClose> file(
      zip_fopen_index(zip, index, 0));
  if (!file)
    return bad(zip_strerror(zip));
  std::string content(stat.size, '\0');
  zip_int64_t got = zip_fread(file.get(), content.data(), content.size());
  if (got < 0 || static_cast<zip_uint64_t>(got) != stat.size)
    return bad("damaged (" + std::string(zip_file_strerror(file.get())) + ")");
  return content;
}

static Expected<Arrays> readNpz(const std::string &path) {
  Expected<Zip> zip = openZip(path, ZIP_RDONLY | ZIP_CHECKCONS);
  if (!zip)
    return std::unexpected(zip.error());
  Arrays arrays;
  zip_int64_t count = zip_get_num_entries(zip->get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    std::string key = zip_get_name(zip->get(), i, 0);
    std::string member = key;
    if (key.ends_with(".npy"))
      key.resize(key.size() - 4);
    bool isBf16 = takeBf16Ending(key);
    Expected<std::string> content = readMember(zip->get(), i);
    if (!content)
      return std::unexpected(content.error().context(member));
    Expected<Array> array = parseNpy(*content, isBf16);
    if (!array)
      return std::unexpected(array.error().context(member));
    arrays[key] = std::move(*array);
  }
  return arrays;
}

static Expected<void> writeNpz(const std::string &path, const Arrays &arrays) {
  Expected<Zip> zip = openZip(path, ZIP_CREATE | ZIP_TRUNCATE);
  if (!zip)
    return std::unexpected(zip.error());
  std::vector<std::string> contents; // libzip reads them at zip_close
  contents.reserve(arrays.size());
  for (const auto &[key, array] : arrays) {
    const std::string &content = contents.emplace_back(renderNpy(array));
    std::string ending(array.dtype == DType::bf16 ? bf16Ending : "");
    zip_source_t *source =
        zip_source_buffer(zip->get(), content.data(), content.size(), 0);
    std::string member = key + ending + ".npy";
    if (!source || zip_file_add(zip->get(), member.c_str(), source,
                                ZIP_FL_ENC_UTF_8) < 0) {
      zip_source_free(source);
      return makeError(Error::Code::Io, zip_strerror(zip->get()));
    }
  }
  if (zip_close(zip->get()) != 0)
    return makeError(Error::Code::Io, zip_strerror(zip->get()));
  (void)zip->release();
  return {};
}

Expected<Arrays> readArrays(const std::string &path,
                            const std::string &single) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return makeError(Error::Code::Io, path + ": " + std::strerror(errno));
  char magic[6] = {};
  file.read(magic, sizeof(magic));
  auto located = [&](const Error &error) {
    return std::unexpected(error.context(path));
  };
  if (std::string_view(magic, 6) != "\x93NUMPY") {
    Expected<Arrays> arrays = readNpz(path);
    return arrays ? arrays : located(arrays.error());
  }
  file.seekg(0);
  std::string content((std::istreambuf_iterator<char>(file)), {});
  std::string stem = path.substr(0, path.rfind('.'));
  Expected<Array> array = parseNpy(content, takeBf16Ending(stem));
  if (!array)
    return located(array.error());
  return Arrays{{single, std::move(*array)}};
}

Expected<void> writeArrays(const std::string &path, const Arrays &arrays) {
  if (!path.ends_with(".npy")) {
    Expected<void> written = writeNpz(path, arrays);
    return written ? written : std::unexpected(written.error().context(path));
  }
  if (arrays.size() != 1)
    return bad(path + ": an .npy holds one array, there are " +
               std::to_string(arrays.size()) + "; use .npz");
  std::ofstream file(path, std::ios::binary);
  file << renderNpy(arrays.begin()->second);
  if (!file.flush())
    return makeError(Error::Code::Io, path + ": " + std::strerror(errno));
  return {};
}

} // namespace kclaw
