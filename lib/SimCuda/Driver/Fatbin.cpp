//===- Fatbin.cpp - PTX in fat binaries and other containers --------------===//
//
// The container that nvcc and fatbinary write: a header and entries, each with
// a header of its own; PTX entries may be compressed with LZ4 or zstd.
//
//===----------------------------------------------------------------------===//
#include "Driver.h"

#include <dlfcn.h>

namespace kclaw::sim::api {

namespace {

constexpr uint32_t wrapperMagic = 0x466243b1, fatbinMagic = 0xba55ed50;
constexpr uint32_t elfMagic = 0x464c457f; // "\x7fELF"
constexpr char packedMagic[8] = {'K', 'C', 'L', 'S', 'I', 'M', '2', 0};
struct PackedHeader {
  uint64_t count, maxRegisters;
};

struct Wrapper {
  uint32_t magic, version;
  const void *data;
  void *unused;
};
struct FatbinHeader {
  uint32_t magic;
  uint16_t version, headerBytes;
  uint64_t bytes; ///< of all entries
};
struct EntryHeader {
  uint16_t kind, version;
  uint32_t headerBytes;
  uint64_t bytes; ///< of the payload, padding included
  uint32_t compressedBytes, optionsOffset;
  uint16_t minor, major;
  uint32_t arch;
  uint32_t nameOffset, nameBytes;
  uint64_t flags, reserved;
  uint64_t uncompressedBytes;
};
static_assert(sizeof(EntryHeader) == 64);
constexpr uint16_t ptxKind = 1;
constexpr uint64_t lz4Flag = 0x2000, zstdFlag = 0x8000;

/// A function of a system library, opened when a fat binary needs it.
void *function(const char *library, const char *name) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return handle ? dlsym(handle, name) : nullptr;
}

bool inflateLz4(const char *from, size_t bytes, std::string &to) {
  using Decompress = int (*)(const char *, char *, int, int);
  static auto decompress = reinterpret_cast<Decompress>(
      function("liblz4.so.1", "LZ4_decompress_safe"));
  return decompress && decompress(from, to.data(), int(bytes),
                                  int(to.size())) == int(to.size());
}

bool inflateZstd(const char *from, size_t bytes, std::string &to) {
  using Decompress = size_t (*)(void *, size_t, const void *, size_t);
  static auto decompress =
      reinterpret_cast<Decompress>(function("libzstd.so.1", "ZSTD_decompress"));
  return decompress &&
         decompress(to.data(), to.size(), from, bytes) == to.size();
}

/// Empty when the entry cannot be read; the log says why.
std::string textOf(const EntryHeader &entry, JitLog &log) {
  const char *payload =
      reinterpret_cast<const char *>(&entry) + entry.headerBytes;
  if (!(entry.flags & (lz4Flag | zstdFlag)))
    return std::string(payload, strnlen(payload, entry.bytes));
  std::string text(entry.uncompressedBytes, '\0');
  bool zstd = entry.flags & zstdFlag;
  bool good = zstd ? inflateZstd(payload, entry.compressedBytes, text)
                   : inflateLz4(payload, entry.compressedBytes, text);
  if (!good) {
    log.error(std::string("cannot decompress a PTX entry of the fat binary; "
                          "is ") +
              (zstd ? "libzstd.so.1" : "liblz4.so.1") + " installed?\n");
    return {};
  }
  return text.substr(0, text.find('\0'));
}

std::string targetOf(std::string_view ptx) {
  size_t at = ptx.find(".target");
  if (at == ptx.npos)
    return {};
  at = ptx.find_first_not_of(" \t", at + 7);
  return std::string(ptx.substr(at, ptx.find_first_of(", \t\r\n", at) - at));
}

uint32_t magicOf(const void *data) {
  uint32_t magic;
  std::memcpy(&magic, data, sizeof magic);
  return magic;
}

} // namespace

/// "sm_90a" -> does it run here? A suffix binds to one architecture.
bool runsHere(const std::string &target) {
  const DeviceModel &model = driver().model();
  int number = std::atoi(target.c_str() + std::min<size_t>(3, target.size()));
  int mine = model.major * 10 + model.minor;
  bool specific = target.ends_with('a');
  bool family = target.ends_with('f');
  return specific ? number == mine
         : family ? number / 10 == mine / 10 && number <= mine
                  : number <= mine;
}

std::vector<std::string> fatbinTexts(const void *fatbin, JitLog &log) {
  auto *header = static_cast<const FatbinHeader *>(fatbin);
  auto *at = static_cast<const char *>(fatbin) + header->headerBytes;
  const char *end = at + header->bytes;
  uint32_t best = 0;
  std::vector<std::string> texts;
  while (at + sizeof(EntryHeader) <= end) {
    auto *entry = reinterpret_cast<const EntryHeader *>(at);
    require(entry->headerBytes >= sizeof(EntryHeader),
            CUDA_ERROR_INVALID_IMAGE);
    at += entry->headerBytes + entry->bytes;
    require(at <= end, CUDA_ERROR_INVALID_IMAGE);
    if (entry->kind != ptxKind || entry->arch < best)
      continue;
    std::string text = textOf(*entry, log);
    if (text.empty() || !runsHere(targetOf(text)))
      continue;
    // Several of one architecture are linked together.
    if (entry->arch > best)
      texts.clear();
    best = entry->arch;
    texts.push_back(std::move(text));
  }
  if (texts.empty())
    log.error("the fat binary has no PTX for " +
              std::string(driver().model().key) +
              ", and the simulator cannot run machine code\n");
  require(!texts.empty(), CUDA_ERROR_NO_BINARY_FOR_GPU);
  return texts;
}

ImageTexts ptxTexts(const void *image, JitLog &log) {
  require(image);
  if (!std::memcmp(image, packedMagic, sizeof packedMagic)) {
    const char *at = static_cast<const char *>(image) + sizeof packedMagic;
    PackedHeader header;
    std::memcpy(&header, at, sizeof header);
    at += sizeof header;
    ImageTexts result{{}, int(header.maxRegisters)};
    while (header.count-- > 0) {
      result.texts.emplace_back(at);
      at += result.texts.back().size() + 1;
    }
    return result;
  }
  switch (magicOf(image)) {
  case wrapperMagic:
    return ptxTexts(static_cast<const Wrapper *>(image)->data, log);
  case fatbinMagic:
    return {fatbinTexts(image, log)};
  case elfMagic:
    log.error("a cubin is machine code, and the simulator needs PTX\n");
    fail(CUDA_ERROR_NO_BINARY_FOR_GPU);
  default:
    return {{static_cast<const char *>(image)}};
  }
}

std::vector<char> packTexts(const ImageTexts &image) {
  std::vector<char> packed(packedMagic, packedMagic + sizeof packedMagic);
  PackedHeader header{image.texts.size(), uint64_t(image.maxRegisters)};
  auto *bytes = reinterpret_cast<const char *>(&header);
  packed.insert(packed.end(), bytes, bytes + sizeof header);
  for (const std::string &text : image.texts)
    packed.insert(packed.end(), text.c_str(), text.c_str() + text.size() + 1);
  return packed;
}

} // namespace kclaw::sim::api
