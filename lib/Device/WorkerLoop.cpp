//===- WorkerLoop.cpp - Jobs from lines or from a mailbox -----------------===//
#include "Files.h"
#include "WorkerProcess.h"
#include "kernelclaw/Device/Worker.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace kclaw {

namespace fs = std::filesystem;

/// Judges one line; never fails: what goes wrong is an answer too.
static std::string answerLine(WorkerProcess &worker, const std::string &line) {
  Expected<Job> job = parseJob(line);
  if (!job)
    return malformedJobResult(line, job.error().message);
  Expected<std::string> answer =
      worker.judgeLine(line, job->id, job->timeoutSeconds);
  if (answer)
    return *answer;
  Evaluation evaluation;
  evaluation.jobId = job->id;
  evaluation.rule = "unavailable";
  evaluation.message = "not judged: " + answer.error().message;
  return toJson(evaluation);
}

static WorkerProcess makeWorker(const std::string &device,
                                const std::string &workerPath, bool verbose) {
  return WorkerProcess(workerPath, {"--child", "--device=" + device}, verbose);
}

int runWorker(const std::string &device, const std::string &workerPath,
              bool verbose) {
  WorkerProcess worker = makeWorker(device, workerPath, verbose);
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    std::cout << answerLine(worker, line) << std::endl;
    if (!std::cout) {
      std::cerr << "kernelclaw-worker: cannot write the answer\n";
      return 1;
    }
  }
  return 0;
}

/// A job may be written over several lines; the child wants one.
static std::string oneLine(std::string text) {
  for (char &c : text)
    if (c == '\n' || c == '\r')
      c = ' ';
  return text;
}

/// Why this machine cannot judge at all; empty for every other answer.
static std::string whyUnavailable(const std::string &answer) {
  Expected<Evaluation> evaluation = parseEvaluation(answer);
  return evaluation && evaluation->rule == "unavailable" ? evaluation->message
                                                         : "";
}

int runMailbox(const std::string &directory, const std::string &device,
               const std::string &workerPath, bool verbose) {
  WorkerProcess worker = makeWorker(device, workerPath, verbose);
  fs::path jobs = fs::path(directory) / "jobs";
  fs::path results = fs::path(directory) / "results";
  std::error_code failed;
  std::vector<fs::path> files;
  for (const fs::directory_entry &entry : fs::directory_iterator(jobs, failed))
    if (entry.path().filename().string().starts_with("job-") &&
        entry.path().extension() == ".json")
      files.push_back(entry.path());
  if (failed) {
    std::cerr << "kernelclaw-worker: cannot list '" << jobs.string()
              << "': " << failed.message() << "\n";
    return 1;
  }
  std::sort(files.begin(), files.end());
  fs::create_directories(results, failed);
  int judged = 0;
  for (const fs::path &file : files) {
    std::string name = file.filename().string().substr(4);
    fs::path target = results / ("result-" + name);
    if (fs::exists(target))
      continue;
    Expected<std::string> text = readFile(file.string());
    std::string answer = text ? answerLine(worker, oneLine(*text))
                              : malformedJobResult("", text.error().message);
    if (std::string why = whyUnavailable(answer); !why.empty()) {
      std::cerr << "kernelclaw-worker: " << file.string() << ": " << why
                << "; judged " << judged << " of " << files.size()
                << " jobs, the others stay for a worker with a device\n";
      return 1;
    }
    if (auto ok = writeFileAtomically(target.string(), answer + "\n"); !ok) {
      std::cerr << "kernelclaw-worker: " << ok.error().message << "\n";
      return 1;
    }
    ++judged;
  }
  std::cerr << "kernelclaw-worker: judged " << judged << " of " << files.size()
            << " jobs in " << directory << "\n";
  return 0;
}

} // namespace kclaw
