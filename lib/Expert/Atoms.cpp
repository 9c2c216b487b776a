//===- Atoms.cpp - Dimensions as products of shared factors ---------------===//
//
// Factors are matched from the innermost end, where strides are known.
//
//===----------------------------------------------------------------------===//
#include "Atoms.h"

#include <algorithm>

namespace kclaw::expert {

int AtomSpace::add(int64_t size, const std::string &name) {
  atoms.push_back({size, {}, name});
  return int(atoms.size()) - 1;
}

AtomList AtomSpace::dimension(int64_t size, const std::string &name) {
  if (size != 1)
    return {add(size, name)};
  if (!name.empty())
    require(name + " == 1");
  return {};
}

Dims AtomSpace::shape(const std::vector<int64_t> &sizes,
                      const std::vector<std::string> &names) {
  Dims dims;
  for (size_t i = 0; i < sizes.size(); ++i)
    dims.push_back(dimension(sizes[i], names.empty() ? "" : names[i]));
  return dims;
}

Extent AtomSpace::extent(int atom) const {
  const Atom &known = atoms[atom];
  return known.name.empty() ? Extent(known.size)
                            : Extent(known.size, known.name);
}

Extent AtomSpace::extent(const AtomList &list) const {
  Extent product;
  for (int atom : list)
    product = product * extent(atom);
  return product;
}

int64_t AtomSpace::size(const AtomList &list) const {
  int64_t product = 1;
  for (int atom : list)
    product *= size(atom);
  return product;
}

AtomList AtomSpace::resolve(const AtomList &list) const {
  AtomList result;
  for (int atom : list) {
    if (atoms[atom].parts.empty()) {
      result.push_back(atom);
      continue;
    }
    AtomList inner = resolve(atoms[atom].parts);
    result.insert(result.end(), inner.begin(), inner.end());
  }
  return result;
}

AtomList AtomSpace::flatten(const Dims &dims) const {
  AtomList result;
  for (const AtomList &dim : dims) {
    AtomList inner = resolve(dim);
    result.insert(result.end(), inner.begin(), inner.end());
  }
  return result;
}

void AtomSpace::split(int atom, int64_t inner) {
  if (!atoms[atom].name.empty())
    require(atoms[atom].name + " == " + std::to_string(atoms[atom].size));
  int outerAtom = add(atoms[atom].size / inner);
  int innerAtom = add(inner);
  atoms[atom].parts = {outerAtom, innerAtom};
}

void AtomSpace::equate(int atom, int other) {
  std::string &name = atoms[atom].name;
  const std::string &otherName = atoms[other].name;
  if (name.empty())
    name = otherName;
  else if (!otherName.empty() && otherName != name)
    require(name + " == " + otherName);
  atoms[other].parts = {atom};
}

bool AtomSpace::unify(const AtomList &a, const AtomList &b) {
  size_t matched = 0; // from the back
  while (true) {
    AtomList x = resolve(a), y = resolve(b);
    if (matched == x.size() || matched == y.size())
      return x.size() == y.size();
    int p = x[x.size() - 1 - matched], q = y[y.size() - 1 - matched];
    int64_t m = size(p), n = size(q);
    if (p == q)
      ++matched;
    else if (m == n)
      equate(p, q);
    else if (m > n && m % n == 0)
      split(p, n);
    else if (n > m && n % m == 0)
      split(q, m);
    else
      return false;
  }
}

/// A group's value repeats over the atoms of the dimension that it lacks.
bool AtomSpace::isPart(const AtomList &part, const AtomList &whole) const {
  AtomList inner = resolve(part), outer = resolve(whole);
  return inner.size() < outer.size() &&
         std::ranges::all_of(
             inner,
             [&](int atom) {
               return std::ranges::find(outer, atom) != outer.end();
             });
}

std::optional<Dims> AtomSpace::broadcast(const Dims &a, const Dims &b) {
  const Dims &longer = a.size() >= b.size() ? a : b;
  const Dims &shorter = a.size() >= b.size() ? b : a;
  Dims result = longer;
  size_t shift = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    AtomList &dim = result[i + shift];
    if (isPart(dim, shorter[i]))
      dim = shorter[i];
    else if (isPart(shorter[i], dim))
      continue;
    else if (!unify(dim, shorter[i]))
      return std::nullopt;
  }
  return result;
}

std::optional<Dims> AtomSpace::reshape(const Dims &dims,
                                       const std::vector<int64_t> &sizes) {
  AtomList rest = flatten(dims);
  Dims result(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    int64_t wanted = sizes[i];
    while (wanted > 1) {
      if (rest.empty())
        return std::nullopt;
      int atom = rest.back();
      if (size(atom) > wanted) {
        if (size(atom) % wanted != 0)
          return std::nullopt;
        split(atom, wanted);
        rest = resolve(rest);
        continue;
      }
      if (wanted % size(atom) != 0)
        return std::nullopt;
      rest.pop_back();
      wanted /= size(atom);
      result[i].insert(result[i].begin(), atom);
    }
  }
  return rest.empty() ? std::optional(result) : std::nullopt;
}

} // namespace kclaw::expert
