//===- Atoms.h - Dimensions as products of shared factors -------*- C++ -*-===//
//
// The axes of a region. A tensor dimension is a list of atoms, outermost
// first; a dimension of size 1 is the empty list. Broadcasting unifies atoms,
// a reshape splits them, a permutation reorders them, so that afterwards every
// tensor's address is a sum over the atoms it varies with. Atoms only ever get
// finer: lists stay valid and are refined by resolve().
//
// An atom that is a whole dimension of an argument bears its name. Where sizes
// themselves decided something, what must hold of the names is kept.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_ATOMS_H
#define KERNELCLAW_LIB_EXPERT_ATOMS_H

#include "Extent.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace kclaw::expert {

using AtomList = std::vector<int>;
/// One list per dimension.
using Dims = std::vector<AtomList>;

inline bool contains(const AtomList &list, int atom) {
  return std::ranges::find(list, atom) != list.end();
}

class AtomSpace {
public:
  /// A fresh dimension; empty for size 1.
  AtomList dimension(int64_t size, const std::string &name = "");
  /// `names` of all dimensions, or none.
  Dims shape(const std::vector<int64_t> &sizes,
             const std::vector<std::string> &names = {});

  int64_t size(int atom) const { return atoms[atom].size; }
  int64_t size(const AtomList &list) const;
  /// The same by the names of its factors.
  Extent extent(int atom) const;
  Extent extent(const AtomList &list) const;
  /// Expressions over names that hold wherever the atoms are as they are here.
  const std::set<std::string> &requirements() const { return required; }
  void require(const std::string &condition) { required.insert(condition); }

  /// The finest known factors of `list`.
  AtomList resolve(const AtomList &list) const;
  /// All dimensions one after the other, resolved.
  AtomList flatten(const Dims &dims) const;

  /// States that two dimensions are the same axis; false when their factors
  /// cannot be matched (6 = 2 x 3 against 3 x 2).
  bool unify(const AtomList &a, const AtomList &b);

  /// NumPy broadcasting of trailing dimensions; nullopt as for unify.
  std::optional<Dims> broadcast(const Dims &a, const Dims &b);

  /// The same elements in row-major order under another shape; nullopt when
  /// a new dimension would cut an atom at no whole factor.
  std::optional<Dims> reshape(const Dims &dims,
                              const std::vector<int64_t> &sizes);

private:
  struct Atom {
    int64_t size = 1;
    AtomList parts;   ///< what it was split into, or the atom it equals
    std::string name; ///< of the dimension it is; may be empty
  };
  int add(int64_t size, const std::string &name = "");
  bool isPart(const AtomList &part, const AtomList &whole) const;
  /// Cuts `atom` into outer x inner.
  void split(int atom, int64_t inner);
  /// `other` is `atom` from now on.
  void equate(int atom, int other);

  std::vector<Atom> atoms;
  std::set<std::string> required;
};

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_ATOMS_H
