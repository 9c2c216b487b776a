//===- ResourceParse.cpp - Registers and spills out of ptxas -v -----------===//
#include "ResourceParse.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace kclaw {

/// The number right before `unit`, as in "80 bytes smem"; 0 when absent.
static int numberBefore(const std::string &line, const std::string &unit) {
  size_t at = line.find(" " + unit);
  if (at == std::string::npos)
    return 0;
  size_t start = at;
  while (start > 0 && line[start - 1] >= '0' && line[start - 1] <= '9')
    --start;
  return std::atoi(line.substr(start, at - start).c_str());
}

std::vector<ResourceReport> parseResources(const std::string &log) {
  std::vector<ResourceReport> rows;
  std::stringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    static const std::string marker = "Compiling entry function '";
    if (size_t at = line.find(marker); at != std::string::npos) {
      size_t start = at + marker.size();
      rows.emplace_back();
      rows.back().kernel = line.substr(start, line.find('\'', start) - start);
      continue;
    }
    if (rows.empty())
      continue;
    ResourceReport &row = rows.back();
    if (line.find("bytes stack frame") != std::string::npos) {
      // Functions that were not inlined have a line of their own.
      row.stackBytes =
          std::max(row.stackBytes, numberBefore(line, "bytes stack frame"));
      row.spillBytes += numberBefore(line, "bytes spill stores") +
                        numberBefore(line, "bytes spill loads");
    }
    if (line.find(" registers") != std::string::npos) {
      row.registers = numberBefore(line, "registers");
      row.staticSharedBytes = numberBefore(line, "bytes smem");
    }
  }
  return rows;
}

/// What parseResources reads, and what says nothing. Other remarks stay, such
/// as wgmma that is serialized.
static bool isResourceLine(const std::string &line) {
  if (line.find("bytes stack frame") != std::string::npos)
    return true;
  if (!line.starts_with("ptxas info"))
    return false;
  for (const char *known :
       {": Compiling entry function '", ": Function properties for ", ": Used ",
        " bytes gmem", ": Compile time"})
    if (line.find(known) != std::string::npos)
      return true;
  return false;
}

std::string boundLog(const std::string &log, size_t limit) {
  std::string kept;
  std::stringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    // NVRTC's log may begin with one; whoever prints it would see no more.
    std::erase(line, '\0');
    if (!isResourceLine(line))
      kept += line + "\n";
  }
  if (kept.find_first_not_of('\n') == std::string::npos)
    return "";
  if (kept.size() <= limit)
    return kept;
  size_t half = limit / 2;
  return kept.substr(0, half) + "\n... (" +
         std::to_string(kept.size() - 2 * half) + " bytes left out) ...\n" +
         kept.substr(kept.size() - half);
}

} // namespace kclaw
