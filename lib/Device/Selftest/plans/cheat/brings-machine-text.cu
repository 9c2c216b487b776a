// PTX instead of CUDA C++, past all that is looked for in sources.
// problem: relu
// expect: rejected cuda-only
// module: {"kind": "ptx"}
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y, .param .u64 n) { ret; }
