# Finds LLVM/MLIR 22 and settles how we build against its shared libraries.
#
# Order matters: the package does not set MLIR_LINK_MLIR_DYLIB, and its classes
# (Pass::Statistic among them) change layout with NDEBUG, which the packaged
# libraries were built with. So every configuration of ours defines NDEBUG.
find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
if(NOT LLVM_PACKAGE_VERSION VERSION_GREATER_EQUAL 22
   OR LLVM_PACKAGE_VERSION VERSION_GREATER_EQUAL 23)
  message(FATAL_ERROR "LLVM ${LLVM_PACKAGE_VERSION} found, 22 needed; install "
                      "libmlir-22-dev or set MLIR_DIR")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} from ${LLVM_DIR}")

set(MLIR_BINARY_DIR "${CMAKE_BINARY_DIR}")
set(LLVM_RUNTIME_OUTPUT_INTDIR "${CMAKE_BINARY_DIR}/bin")
set(LLVM_LIBRARY_OUTPUT_INTDIR "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(MLIR_LINK_MLIR_DYLIB ON)

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

if(NOT LLVM_ENABLE_ASSERTIONS)
  add_compile_definitions(NDEBUG)
endif()
