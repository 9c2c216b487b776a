// A copy step that reads behind the end of its source.
// problem: relu
// expect: rejected plan
// step: {"kind": "copy", "source": "x", "sourceOffset": 4, "target": "y",
//   "rowBytes": "rows * cols * 4"}
