# The two kinds of library: kclaw_compiler_library (MLIR, no exceptions) and
# kclaw_agent_library (no LLVM). lib/README.md has the layer table.
find_package(Threads REQUIRED)
find_package(GTest REQUIRED)

add_compile_options(-Wall -Wextra -Wno-unused-parameter
                    -fdiagnostics-color=auto)
set(KCLAW_INCLUDE_DIRS "${CMAKE_SOURCE_DIR}/include"
                       "${CMAKE_BINARY_DIR}/include")

# kclaw_agent_library(Name SOURCES ... DEPENDS ...): no LLVM include path, so a
# stray include fails to compile.
function(kclaw_agent_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(KernelClaw${name} STATIC ${ARG_SOURCES})
  target_include_directories(KernelClaw${name} PUBLIC ${KCLAW_INCLUDE_DIRS})
  target_link_libraries(KernelClaw${name} PUBLIC ${ARG_DEPENDS})
endfunction()

# kclaw_compiler_library(Name SOURCES ... DEPENDS ... TABLEGEN ...)
function(kclaw_compiler_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;TABLEGEN" ${ARGN})
  add_library(KernelClaw${name} STATIC ${ARG_SOURCES})
  target_include_directories(KernelClaw${name} PUBLIC ${KCLAW_INCLUDE_DIRS})
  target_include_directories(KernelClaw${name} SYSTEM PUBLIC
                             ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_compile_options(KernelClaw${name} PRIVATE -fno-exceptions)
  target_link_libraries(KernelClaw${name} PUBLIC ${ARG_DEPENDS} MLIR LLVM)
  if(ARG_TABLEGEN)
    add_dependencies(KernelClaw${name} ${ARG_TABLEGEN})
  endif()
endfunction()

# kclaw_unittest(Name SOURCES ... DEPENDS ...): one GoogleTest binary, one ctest.
function(kclaw_unittest name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name}Tests ${ARG_SOURCES})
  target_link_libraries(${name}Tests PRIVATE ${ARG_DEPENDS} GTest::gtest
                        GTest::gmock GTest::gtest_main)
  set_target_properties(${name}Tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                        "${CMAKE_BINARY_DIR}/unittests")
  add_test(NAME unit-${name} COMMAND ${name}Tests)
  set_tests_properties(unit-${name} PROPERTIES LABELS unit TIMEOUT 120)
endfunction()
