//===- DriverLinkTest.cpp - Libraries, register limits, user objects ------===//
#include "DriverLibrary.h"

namespace kclaw::sim {

static int registersOf(CUfunction f) {
  int value = 0;
  EXPECT_CU(CU(cuFuncGetAttribute)(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
  return value;
}

/// A kernel that keeps 120 values alive.
static std::string greedyPtx() {
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".visible .entry k(.param .u64 p) {\n"
                     ".reg .b64 %rd<2>;\n.reg .b32 %r<122>;\n"
                     "ld.param.u64 %rd1, [p];\n";
  for (int i = 0; i < 120; ++i)
    text += "ld.global.u32 %r" + std::to_string(i) + ", [%rd1+" +
            std::to_string(4 * i) + "];\n";
  for (int i = 0; i < 120; ++i)
    text += "st.global.u32 [%rd1+" + std::to_string(4 * i) + "], %r" +
            std::to_string(119 - i) + ";\n";
  return text + "ret;\n}\n";
}

TEST_F(DriverTest, maxRegisters) {
  std::string text = greedyPtx();
  EXPECT_GT(registersOf(function(load(text), "k")), 100);
  CUjit_option option = CU_JIT_MAX_REGISTERS;
  void *value = reinterpret_cast<void *>(uintptr_t(40));
  CUmodule module = nullptr;
  EXPECT_CU(CU(cuModuleLoadDataEx)(&module, text.c_str(), 1, &option, &value));
  EXPECT_EQ(registersOf(function(module, "k")), 40);
  CUlinkState link = nullptr;
  EXPECT_CU(CU(cuLinkCreate)(1, &option, &value, &link));
  EXPECT_CU(CU(cuLinkAddData)(link, CU_JIT_INPUT_PTX, text.data(), text.size(),
                              "k.ptx", 0, nullptr, nullptr));
  void *image = nullptr;
  size_t bytes = 0;
  EXPECT_CU(CU(cuLinkComplete)(link, &image, &bytes));
  EXPECT_CU(CU(cuModuleLoadData)(&module, image));
  EXPECT_EQ(registersOf(function(module, "k")), 40);
  EXPECT_CU(CU(cuLinkDestroy)(link));
}

// Of a library of machine code nothing is taken: what only it has is missing.
TEST_F(DriverTest, libraries) {
  auto linked = [&](const std::string &callee) {
    std::string text =
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".extern .func (.param .b64 handle) " +
        callee +
        "(.param .b32 scope);\n"
        ".visible .entry k() {\n.param .b32 scope;\n.param .b64 handle;\n"
        "st.param.b32 [scope], 1;\ncall (handle), " +
        callee + ", (scope);\nret;\n}\n";
    std::string archive = "!<arch>\nmachine code";
    CUlinkState link = nullptr;
    EXPECT_CU(CU(cuLinkCreate)(0, nullptr, nullptr, &link));
    EXPECT_CU(CU(cuLinkAddData)(link, CU_JIT_INPUT_PTX, text.data(),
                                text.size(), "k.ptx", 0, nullptr, nullptr));
    EXPECT_CU(CU(cuLinkAddData)(link, CU_JIT_INPUT_LIBRARY, archive.data(),
                                archive.size(), "libcudadevrt.a", 0, nullptr,
                                nullptr));
    EXPECT_EQ(CU(cuLinkAddData)(link, CU_JIT_INPUT_OBJECT, archive.data(),
                                archive.size(), "k.o", 0, nullptr, nullptr),
              CUDA_ERROR_NO_BINARY_FOR_GPU);
    void *image = nullptr;
    size_t bytes = 0;
    CUresult result = CU(cuLinkComplete)(link, &image, &bytes);
    EXPECT_CU(CU(cuLinkDestroy)(link));
    return result;
  };
  EXPECT_CU(linked("cudaCGGetIntrinsicHandle"));
  EXPECT_EQ(linked("somebodyElse"), CUDA_ERROR_INVALID_PTX);
}

static void CUDA_CB countDown(void *value) { --*static_cast<int *>(value); }

TEST_F(DriverTest, graphsKeepUserObjects) {
  int alive = 1;
  CUuserObject object = nullptr;
  CUgraph graph = nullptr, copy = nullptr;
  CUgraphExec exec = nullptr;
  EXPECT_EQ(CU(cuUserObjectCreate)(&object, &alive, countDown, 0,
                                   CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuUserObjectCreate)(&object, &alive, countDown, 1,
                                   CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  EXPECT_CU(CU(cuGraphCreate)(&graph, 0));
  EXPECT_CU(
      CU(cuGraphRetainUserObject)(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  EXPECT_CU(CU(cuGraphInstantiate)(&exec, graph, 0));
  EXPECT_CU(CU(cuGraphClone)(&copy, graph));
  EXPECT_CU(CU(cuGraphReleaseUserObject)(graph, object, 1));
  EXPECT_EQ(CU(cuGraphReleaseUserObject)(graph, object, 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuGraphDestroy)(graph));
  EXPECT_CU(CU(cuGraphExecDestroy)(exec));
  EXPECT_EQ(alive, 1);
  EXPECT_CU(CU(cuUserObjectRetain)(object, 2));
  EXPECT_CU(CU(cuUserObjectRelease)(object, 2));
  EXPECT_EQ(alive, 1);
  EXPECT_CU(CU(cuGraphDestroy)(copy));
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(CU(cuUserObjectRelease)(object, 1), CUDA_ERROR_INVALID_VALUE);
}

// The destructor may call into the driver's process: no lock is held.
static void CUDA_CB askVersion(void *value) {
  EXPECT_CU(CU(cuCtxGetDevice)(static_cast<CUdevice *>(value)));
}

TEST_F(DriverTest, destructorsRunWithoutTheLock) {
  CUdevice device = -1;
  CUuserObject object = nullptr;
  EXPECT_CU(CU(cuUserObjectCreate)(&object, &device, askVersion, 1,
                                   CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  EXPECT_CU(CU(cuUserObjectRelease)(object, 1));
  EXPECT_EQ(device, 0);
}

} // namespace kclaw::sim
