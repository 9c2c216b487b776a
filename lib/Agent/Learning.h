//===- Learning.h - What an attempt taught ----------------------*- C++ -*-===//
//
// Private. attempt.json, a row of experience, and a lesson candidate from a
// repair that worked. Nothing is written twice by a resumed run.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_LEARNING_H
#define KERNELCLAW_LIB_AGENT_LEARNING_H

#include "Attempt.h"

namespace kclaw {

Experience experienceOf(const Run &run, const RegionTask &task,
                        const AttemptRecord &record);

/// `record` is in the tree.
Expected<void> learn(Run &run, const RegionTask &task, const Tree &tree,
                     const AttemptRecord &record);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_LEARNING_H
