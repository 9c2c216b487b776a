//===- ElfFile.cpp - Whether an ELF file is whole -------------------------===//
//
// The section headers stand at the end of what linkers write, so nearly every
// cut is seen there; the segments are what dlopen maps.
//
//===----------------------------------------------------------------------===//
#include "ElfFile.h"

#include <elf.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace kclaw {

static std::unexpected<Error> truncated(const std::string &path,
                                        const std::string &what,
                                        uint64_t fileBytes) {
  return makeError(Error::Code::Invalid,
                   path + ": the file is truncated: it has " +
                       std::to_string(fileBytes) + " bytes, but its " + what +
                       "; copy or make it again");
}

/// The end of `count` records; the largest number where that wraps.
static uint64_t endOf(uint64_t offset, uint64_t count, uint64_t recordBytes) {
  uint64_t bytes = 0, end = 0;
  if (__builtin_mul_overflow(count, recordBytes, &bytes) ||
      __builtin_add_overflow(offset, bytes, &end))
    return UINT64_MAX;
  return end;
}

static std::string endText(uint64_t end) {
  return end == UINT64_MAX ? " have no end" : " end at " + std::to_string(end);
}

static bool isOurs(const Elf64_Ehdr &header) {
  return header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_phentsize == sizeof(Elf64_Phdr);
}

Expected<void> checkElfSize(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file)
    return makeError(Error::Code::Io, path + ": " + std::strerror(errno));
  uint64_t fileBytes = file.tellg();
  Elf64_Ehdr header = {};
  if (fileBytes < sizeof(header))
    return truncated(path, "ELF header has 64", fileBytes);
  file.seekg(0);
  file.read(reinterpret_cast<char *>(&header), sizeof(header));
  if (!isOurs(header))
    return {};
  uint64_t programEnd =
      endOf(header.e_phoff, header.e_phnum, sizeof(Elf64_Phdr));
  if (programEnd > fileBytes)
    return truncated(path, "program headers" + endText(programEnd), fileBytes);
  file.seekg(header.e_phoff);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment = {};
    file.read(reinterpret_cast<char *>(&segment), sizeof(segment));
    uint64_t end = endOf(segment.p_offset, 1, segment.p_filesz);
    if (segment.p_type != PT_NULL && end > fileBytes)
      return truncated(path, "segments" + endText(end), fileBytes);
  }
  uint64_t sectionEnd =
      endOf(header.e_shoff, header.e_shnum, header.e_shentsize);
  if (sectionEnd > fileBytes)
    return truncated(path, "section headers" + endText(sectionEnd), fileBytes);
  return {};
}

} // namespace kclaw
