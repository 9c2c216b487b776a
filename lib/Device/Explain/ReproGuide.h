//===- ReproGuide.h - The command lines beside a repro ----------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_REPROGUIDE_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_REPROGUIDE_H

#include "kernelclaw/Plan/Job.h"

namespace kclaw {

std::string reproReadme(const Job &job, const Evaluation &evaluation,
                        const std::string &commandLine);
/// run.sh [run|memcheck|racecheck|initcheck|synccheck|ncu]
std::string reproScript(const Job &job);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_REPROGUIDE_H
