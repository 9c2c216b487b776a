//===- PlanJson.h - Plans and images inside other documents -----*- C++ -*-===//
//
// Private: a Job holds plans, an Evaluation holds images.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PLAN_PLANJSON_H
#define KERNELCLAW_LIB_PLAN_PLANJSON_H

#include "Support/Json.h"
#include "kernelclaw/Plan/Evaluation.h"
#include "kernelclaw/Plan/Plan.h"

namespace kclaw::json {

inline constexpr EnumRow<PlanModule::Kind> moduleKinds[] = {
    {"cuda", PlanModule::Kind::Cuda},
    {"ptx", PlanModule::Kind::Ptx},
    {"cubin", PlanModule::Kind::Cubin}};
inline constexpr EnumRow<PlanBuffer::Kind> bufferKinds[] = {
    {"argument", PlanBuffer::Kind::Argument},
    {"result", PlanBuffer::Kind::Result},
    {"workspace", PlanBuffer::Kind::Workspace},
    {"persistent", PlanBuffer::Kind::Persistent},
    {"constant", PlanBuffer::Kind::Constant}};
inline constexpr EnumRow<Producer> producerNames[] = {
    {"model", Producer::Model},
    {"expert", Producer::Expert},
    {"stock", Producer::Stock},
    {"reference", Producer::Reference}};

// EvaluationJson.cpp.
inline constexpr EnumRow<Outcome> outcomeNames[] = {
    {"rejected", Outcome::Rejected},
    {"compile_error", Outcome::CompileError},
    {"launch_error", Outcome::LaunchError},
    {"fault", Outcome::Fault},
    {"timeout", Outcome::Timeout},
    {"mismatch", Outcome::Mismatch},
    {"nondeterministic", Outcome::Nondeterministic},
    {"suspicious", Outcome::Suspicious},
    {"ok", Outcome::Ok}};
inline constexpr EnumRow<Evidence> evidenceNames[] = {
    {"none", Evidence::None},
    {"simulated, reduced", Evidence::SimulatedReduced},
    {"simulated", Evidence::Simulated},
    {"measured", Evidence::Measured}};

Json write(const Plan &plan);
Plan readPlan(const Cursor &at);

/// An integer where the text is one, so that plans read well.
Json write(const Expr &expr);
Expr readExpr(const Cursor &at, int64_t fallback = 0);

// LibraryStepsJson.cpp.
Json write(const MatmulStep &step);
MatmulStep readMatmul(const Cursor &at);
Json write(const ConvolutionStep &step);
ConvolutionStep readConvolution(const Cursor &at);
Json write(const LibraryChoice &choice);
LibraryChoice readChoice(const Cursor &at);
/// Null when there is none.
Json write(const StockReport &report);
StockReport readStockReport(const Cursor &at);

Json write(const PlanTensorMap &map);
PlanTensorMap readTensorMap(const Cursor &at);

Json write(const ModuleImage &image);
ModuleImage readImage(const Cursor &at);

Json write(const ResultError &error);
ResultError readResultError(const Cursor &at);

/// Null when there is none.
Json write(const DeviceIdentity &device);
DeviceIdentity readDevice(const Cursor &at);

/// Null when there is none.
Json write(const Profile &profile);
Profile readProfile(const Cursor &at);

// TimingJson.cpp. Null when there is none.
Json write(const Timing &time);
Timing readTiming(const Cursor &at);
Json write(const SpeedupInterval &interval);
SpeedupInterval readInterval(const Cursor &at);
Json write(const Confirmation &confirmation);
Confirmation readConfirmation(const Cursor &at);
Json write(const Energy &energy);
Energy readEnergy(const Cursor &at);
/// All of 64 bits.
uint64_t readUnsigned(const Cursor &at, uint64_t otherwise = 0);

Json writeNumbers(const std::vector<double> &numbers);
Json writeNumbers(const std::map<std::string, double> &numbers);
inline double readNumber(const Cursor &at) { return at.number(); }
inline std::string readString(const Cursor &at) { return at.string(); }
std::map<std::string, double> readNumbers(const Cursor &at);
std::map<std::string, int64_t> readIntegers(const Cursor &at);

/// Base64 text to bytes; the error names the path.
std::vector<uint8_t> readBytes(const Cursor &at);

} // namespace kclaw::json

#endif // KERNELCLAW_LIB_PLAN_PLANJSON_H
