//===- Schema.h - The store's tables and their versions ---------*- C++ -*-===//
//
// Private. docs/Store.md describes the tables.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_STORE_SCHEMA_H
#define KERNELCLAW_LIB_STORE_SCHEMA_H

#include "Database.h"

namespace kclaw {

/// Creates the tables or brings those of an older version up, in one
/// transaction; refuses a newer version.
Expected<void> prepareSchema(const Database &database);

} // namespace kclaw

#endif // KERNELCLAW_LIB_STORE_SCHEMA_H
