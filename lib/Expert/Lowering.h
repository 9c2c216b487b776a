//===- Lowering.h - One op of the graph into nodes --------------*- C++ -*-===//
//
// The operands of one op, bound to the names of its row, and the statements
// of the row turned into nodes.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_LOWERING_H
#define KERNELCLAW_LIB_EXPERT_LOWERING_H

#include "Program.h"

#include <map>

namespace kclaw::expert {

class OpLowering {
public:
  /// `nodeOf` maps graph values to nodes and receives the op's results.
  OpLowering(const OpGraph &graph, const GraphOp &op, const OpRow &row,
             Program &program, std::map<int, int> &nodeOf)
      : graph(graph), op(op), row(row), program(program), nodeOf(nodeOf) {}

  /// The empty text, or why the op cannot be expressed.
  std::string run();

private:
  std::string bind();
  std::string lowerView();
  std::string lowerBody();
  std::string alignOperands();
  std::string findReduced();
  std::string lowerStatement(const Statement &statement);
  std::string lowerDot(const Statement &statement);
  int factor(int node, Dims &dims);
  std::string lowerResult(size_t index);
  bool holds(const Condition &condition) const;
  void chooseComputeType();
  int mapNode(const std::string &text, std::string &error);
  int indexNode();
  int add(Node node);

  const OpGraph &graph;
  const GraphOp &op;
  const OpRow &row;
  Program &program;
  std::map<int, int> &nodeOf;

  std::map<std::string, int> variables;    ///< name -> node
  std::map<std::string, Literal> literals; ///< name -> scalar operand
  std::vector<std::string> tensors;        ///< operand names, in order
  std::map<std::string, int> graphValue;   ///< tensor operand -> graph value
  std::string compute;                     ///< {C}
  std::string kind;                        ///< float, int or bool
  Dims common;                             ///< all operands broadcast
  AtomList over;                           ///< what the reductions run over
};

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_LOWERING_H
