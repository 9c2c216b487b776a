//===- Prices.cpp - What calls cost ---------------------------------------===//
#include "Providers.h"

#include "Support/Files.h"
#include "Support/Json.h"

#include <algorithm>
#include <cmath>

namespace kclaw {
namespace {

using json::Cursor;

/// "-2026-01-31", "-20260131", "@20260131", "-latest": the same model, dated.
bool isSnapshot(std::string_view rest) {
  if (rest == "-latest")
    return true;
  constexpr size_t digitsOfDate = 8;
  return (rest.starts_with('-') || rest.starts_with('@')) &&
         rest.find_first_not_of("0123456789-", 1) == rest.npos &&
         size_t(std::ranges::count_if(rest, [](char c) {
           return c >= '0' && c <= '9';
         })) == digitsOfDate;
}

bool fits(std::string_view model, std::string_view row) {
  if (row.ends_with('*'))
    return model.starts_with(row.substr(0, row.size() - 1));
  return model.starts_with(row) &&
         (model.size() == row.size() || isSnapshot(model.substr(row.size())));
}

double dollarsAt(const Cursor &at) {
  double value = at.number();
  if (at.present() && (!std::isfinite(value) || value < 0))
    at.fail("a price is 0 or more dollars for a million tokens");
  return value;
}

Prices readPrices(const Cursor &at) {
  at.only({"input", "output", "cachedInput", "cacheWrite", "source", "date"});
  Prices prices;
  prices.input = dollarsAt(at.at("input"));
  prices.output = dollarsAt(at.at("output"));
  if (Cursor cached = at.find("cachedInput"); cached.present())
    prices.cachedInput = dollarsAt(cached);
  if (Cursor write = at.find("cacheWrite"); write.present())
    prices.cacheWrite = dollarsAt(write);
  (void)at.at("source").string();
  (void)at.at("date").string();
  return prices;
}

} // namespace

std::optional<Prices>
ProviderOptions::pricesFor(const std::string &role) const {
  if (inputDollarsPerMillion && outputDollarsPerMillion)
    return Prices{*inputDollarsPerMillion, *outputDollarsPerMillion};
  const std::string &model = modelFor(role);
  std::optional<Prices> found;
  size_t length = 0;
  for (const auto &[name, price] : prices)
    if (fits(model, name) && name.size() >= length) {
      found = price;
      length = name.size();
    }
  return found;
}

bool ProviderOptions::hasPrices() const {
  return pricesFor("") &&
         std::ranges::all_of(roleModels, [this](const auto &own) {
           return pricesFor(own.first).has_value();
         });
}

Expected<std::map<std::string, Prices>> loadPrices(const std::string &file) {
  auto text = readFile(file);
  if (!text)
    return std::unexpected(text.error().context("prices"));
  auto prices = json::parseDocument(*text, "prices", [](const Cursor &at) {
    std::map<std::string, Prices> result;
    at.members([&](const std::string &model, const Cursor &) {
      result[model] = readPrices(at.at(model));
    });
    return result;
  });
  if (!prices)
    return std::unexpected(prices.error().context(file));
  return prices;
}

double priceOf(const Usage &usage, const ProviderOptions &options,
               const std::string &role) {
  auto prices = options.pricesFor(role);
  if (!prices)
    return 0;
  double cached = double(usage.cachedInputTokens);
  double written = double(usage.cacheWriteTokens);
  return ((double(usage.inputTokens) - cached - written) * prices->input +
          cached * prices->cachedInput.value_or(prices->input) +
          written * prices->cacheWrite.value_or(prices->input) +
          double(usage.outputTokens) * prices->output) /
         1e6;
}

double priceBound(const Usage &usage, const ProviderOptions &options,
                  const std::string &role) {
  auto prices = options.pricesFor(role);
  if (!prices)
    return 0;
  double input = std::max(prices->input, prices->cacheWrite.value_or(0));
  return (double(usage.inputTokens) * input +
          double(usage.outputTokens) * prices->output) /
         1e6;
}

} // namespace kclaw
