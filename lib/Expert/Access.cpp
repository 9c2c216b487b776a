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
  std::map<int, Extent> strides;
  Extent stride;
  AtomList own = atoms.flatten(dims);
  for (size_t i = own.size(); i-- > 0;) {
    strides[own[i]] = stride;
    stride = atoms.extent(own[i]) * stride;
  }
  std::vector<Term> terms;
  Extent divisor;
  for (size_t i = axis.size(); i-- > 0;) {
    Extent size = atoms.extent(axis[i]);
    Extent step = strides.contains(axis[i]) ? strides[axis[i]] : Extent(0);
    bool merges =
        !terms.empty() &&
        step.value == terms.back().stride.value * terms.back().size.value &&
        (step.value == 0) == (terms.back().stride.value == 0);
    if (merges)
      terms.back().size = size * terms.back().size;
    else
      terms.push_back({divisor, size, step});
    divisor = size * divisor;
  }
  return terms;
}

std::string Access::coordinate(const std::vector<Term> &terms, size_t term,
                               const std::string &index) {
  std::string text = index;
  if (terms[term].divisor.value != 1)
    text += " / " + terms[term].divisor.factor();
  if (term + 1 < terms.size())
    text += " % " + terms[term].size.factor();
  return text;
}

std::string Access::offset(const std::vector<Term> &terms,
                           const std::string &index) {
  std::string text;
  for (size_t i = terms.size(); i-- > 0;) {
    if (terms[i].stride.value == 0)
      continue;
    if (!text.empty())
      text += " + ";
    text += coordinate(terms, i, index);
    if (terms[i].stride.value != 1)
      text += " * " + terms[i].stride.factor();
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
      layout != Layout::Column ? columnTerms : rowTerms;
  const std::vector<Term> &across =
      layout != Layout::Column ? rowTerms : columnTerms;
  if (width == 1)
    return along.empty() || along[0].stride.value == 0 ? PackKind::Splat
                                                       : PackKind::Vector;
  if (along.empty())
    return PackKind::Splat;
  bool fits = along[0].size.value % width == 0 || (tail && along.size() == 1);
  if (!fits)
    return PackKind::Gather;
  if (along[0].stride.value == 0)
    return PackKind::Splat;
  bool aligned = along[0].stride.value == 1;
  for (size_t i = 1; i < along.size(); ++i)
    aligned &= along[i].stride.value % width == 0;
  for (const Term &term : across)
    aligned &= term.stride.value % width == 0;
  return aligned ? PackKind::Vector : PackKind::Gather;
}

std::vector<std::string> Access::packRequirements(int width, bool tail) const {
  PackKind kind = pack(width, tail);
  bool row = layout != Layout::Column;
  const std::vector<Term> &along = row ? columnTerms : rowTerms;
  const std::vector<Term> &across = row ? rowTerms : columnTerms;
  std::vector<std::string> required;
  auto divides = [&](const Extent &extent) {
    if (extent.named)
      required.push_back(extent.factor() + " % " + std::to_string(width) +
                         " == 0");
  };
  if (width == 1 || along.empty() || kind == PackKind::Gather)
    return required;
  if (!tail || along.size() > 1)
    divides(along[0].size);
  if (kind == PackKind::Splat)
    return required;
  for (size_t i = 1; i < along.size(); ++i)
    divides(along[i].stride);
  for (const Term &term : across)
    divides(term.stride);
  return required;
}

std::string Access::once(const std::string &row,
                         const std::string &column) const {
  std::string text;
  for (auto [terms, index] :
       {std::pair(&rowTerms, &row), std::pair(&columnTerms, &column)})
    for (size_t i = 0; i < terms->size(); ++i) {
      if ((*terms)[i].stride.value != 0 || (*terms)[i].size.value == 1)
        continue;
      text += (text.empty() ? "" : " && ") + coordinate(*terms, i, *index) +
              " == 0";
    }
  return text;
}

} // namespace kclaw::expert
