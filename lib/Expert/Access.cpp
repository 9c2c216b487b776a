//===- Access.cpp - Where a tensor's element lies -------------------------===//
//
// Neighbouring atoms with compatible strides merge, so that the common cases
// are one multiplication.
//
//===----------------------------------------------------------------------===//
#include "Access.h"

#include <map>

namespace kclaw::expert {

Access::Access(const AtomSpace &atoms, const Schedule &schedule,
               const Dims &dims)
    : layout(schedule.layout), rowTerms(collect(atoms, schedule.rows, dims)),
      columnTerms(collect(atoms, schedule.columns, dims)) {}

std::vector<Access::Term> Access::collect(const AtomSpace &atoms,
                                          const AtomList &axis,
                                          const Dims &dims) const {
  std::map<int, int64_t> strides;
  int64_t stride = 1;
  AtomList own = atoms.flatten(dims);
  for (size_t i = own.size(); i-- > 0;) {
    strides[own[i]] = stride;
    stride *= atoms.size(own[i]);
  }
  std::vector<Term> terms;
  int64_t divisor = 1;
  for (size_t i = axis.size(); i-- > 0;) {
    int64_t size = atoms.size(axis[i]);
    int64_t step = strides.contains(axis[i]) ? strides[axis[i]] : 0;
    bool merges = !terms.empty() &&
                  step == terms.back().stride * terms.back().size &&
                  (step == 0) == (terms.back().stride == 0);
    if (merges)
      terms.back().size *= size;
    else
      terms.push_back({divisor, size, step});
    divisor *= size;
  }
  return terms;
}

std::string Access::coordinate(const std::vector<Term> &terms, size_t term,
                               const std::string &index) {
  std::string text = index;
  if (terms[term].divisor != 1)
    text += " / " + std::to_string(terms[term].divisor);
  if (term + 1 < terms.size())
    text += " % " + std::to_string(terms[term].size);
  return text;
}

std::string Access::offset(const std::vector<Term> &terms,
                           const std::string &index) {
  std::string text;
  for (size_t i = terms.size(); i-- > 0;) {
    if (terms[i].stride == 0)
      continue;
    if (!text.empty())
      text += " + ";
    text += coordinate(terms, i, index);
    if (terms[i].stride != 1)
      text += " * " + std::to_string(terms[i].stride);
  }
  return text.empty() ? "0" : text;
}

std::string Access::rowOffset(const std::string &row) const {
  return offset(rowTerms, row);
}

std::string Access::columnOffset(const std::string &column) const {
  return offset(columnTerms, column);
}

PackKind Access::pack(int width, bool tail) const {
  const std::vector<Term> &along =
      layout == Layout::Row ? columnTerms : rowTerms;
  const std::vector<Term> &across =
      layout == Layout::Row ? rowTerms : columnTerms;
  if (width == 1)
    return along.empty() || along[0].stride == 0 ? PackKind::Splat
                                                 : PackKind::Vector;
  if (along.empty())
    return PackKind::Splat;
  bool fits = along[0].size % width == 0 || (tail && along.size() == 1);
  if (!fits)
    return PackKind::Gather;
  if (along[0].stride == 0)
    return PackKind::Splat;
  bool aligned = along[0].stride == 1;
  for (size_t i = 1; i < along.size(); ++i)
    aligned &= along[i].stride % width == 0;
  for (const Term &term : across)
    aligned &= term.stride % width == 0;
  return aligned ? PackKind::Vector : PackKind::Gather;
}

std::string Access::once(const std::string &row,
                         const std::string &column) const {
  std::string text;
  for (auto [terms, index] :
       {std::pair(&rowTerms, &row), std::pair(&columnTerms, &column)})
    for (size_t i = 0; i < terms->size(); ++i) {
      if ((*terms)[i].stride != 0 || (*terms)[i].size == 1)
        continue;
      text += (text.empty() ? "" : " && ") + coordinate(*terms, i, *index) +
              " == 0";
    }
  return text;
}

} // namespace kclaw::expert
