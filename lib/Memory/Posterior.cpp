//===- Posterior.cpp - A mean of which few samples are known --------------===//
#include "Posterior.h"

#include <cmath>
#include <numbers>

namespace kclaw {

double Draws::uniform() {
  // 53 bits, never 0 or 1.
  return (double(engine() >> 11) + 0.5) / 9007199254740992.0;
}

/// Box and Muller, 1958.
double Draws::normal() {
  double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

/// Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.
double Draws::gamma(double shape) {
  double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    double x = normal();
    double v = std::pow(1 + c * x, 3);
    if (v > 0 && std::log(uniform()) < x * x / 2 + d - d * v + d * std::log(v))
      return d * v;
  }
}

void Posterior::add(double value, double weight) {
  if (!(weight > 0))
    return;
  weights += weight;
  double before = value - sampleMean;
  sampleMean += before * weight / weights;
  squares += weight * before * (value - sampleMean);
}

double Posterior::mean() const {
  return (priorRows * priorMean + weights * sampleMean) / (priorRows + weights);
}

double Posterior::posteriorRate() const {
  double apart = sampleMean - priorMean;
  return rate + squares / 2 +
         priorRows * weights * apart * apart / (2 * (priorRows + weights));
}

double Posterior::deviationOfMean() const {
  return std::sqrt(posteriorRate() / (posteriorShape() - 1) /
                   (priorRows + weights));
}

double Posterior::draw(Draws &draws) const {
  double variance = posteriorRate() / draws.gamma(posteriorShape());
  return mean() + draws.normal() * std::sqrt(variance / (priorRows + weights));
}

} // namespace kclaw
