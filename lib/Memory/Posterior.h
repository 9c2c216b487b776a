//===- Posterior.h - A mean of which few samples are known ------*- C++ -*-===//
//
// Normal-inverse-gamma: the conjugate prior of a normal distribution with
// unknown mean and variance (Gelman et al., Bayesian Data Analysis, 3rd ed.,
// section 3.3; Murphy, "Conjugate Bayesian analysis of the Gaussian
// distribution", 2007, section 6), with weighted samples. Draws are the same on
// every machine. Values; not shared.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_MEMORY_POSTERIOR_H
#define KERNELCLAW_LIB_MEMORY_POSTERIOR_H

#include <cstdint>
#include <random>

namespace kclaw {

/// Random numbers by formulas of our own: the standard library's distributions
/// differ from one implementation to the next.
class Draws {
public:
  explicit Draws(uint64_t seed) : engine(seed) {}
  double uniform(); ///< in (0, 1)
  double normal();
  double gamma(double shape); ///< shape >= 1, rate 1

private:
  std::mt19937_64 engine;
};

class Posterior {
public:
  /// Mean, how many samples that is worth, shape of the inverse gamma, and the
  /// variance it stands for.
  Posterior(double mean, double rows, double shape, double variance)
      : priorMean(mean), priorRows(rows), shape(shape),
        rate((shape - 1) * variance) {}

  void add(double value, double weight);

  double rows() const { return weights; } ///< sum of the weights
  double mean() const;
  double deviationOfMean() const;
  /// A mean drawn from the posterior.
  double draw(Draws &draws) const;

private:
  double posteriorShape() const { return shape + weights / 2; }
  double posteriorRate() const;

  double priorMean, priorRows, shape, rate;
  double weights = 0, sampleMean = 0, squares = 0; ///< Welford, weighted
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_MEMORY_POSTERIOR_H
