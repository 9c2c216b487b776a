// The price table: which row a model has, and what a bad table says.
#include "TemporaryDirectory.h"
#include "kernelclaw/Provider/Provider.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace kclaw;

namespace {

Expected<std::map<std::string, Prices>> load(const std::string &text) {
  TemporaryDirectory folder;
  std::ofstream(folder / "prices.json") << text;
  auto prices = loadPrices(folder / "prices.json");
  if (!prices) { // without the folder's name
    std::string &message = prices.error().message;
    message = message.substr(message.rfind("prices.json: ") + 13);
  }
  return prices;
}

TEST(Prices, LongestRowThatFits) {
  ProviderOptions options;
  options.prices = {{"m", {1, 1}},
                    {"m-mini", {2, 2}},
                    {"m-mini-2026-01-31", {3, 3}},
                    {"x*", {4, 4}}};
  const std::pair<const char *, double> rows[] = {
      {"m", 1},
      {"m-2026-01-31", 1},
      {"m-20260131", 1},
      {"m-latest", 1},
      {"m@20260131", 1},
      {"m-mini", 2},
      {"m-mini-2026-02-01", 2},
      {"m-mini-2026-01-31", 3},
      {"xyz", 4},
      // Another model that begins alike may cost anything.
      {"m-pro", 0},
      {"m-2", 0},
      {"m.5", 0},
      {"", 0}};
  for (auto [model, price] : rows) {
    options.model = model;
    auto found = options.pricesFor("");
    EXPECT_EQ(found ? found->input : 0, price) << model;
  }
}

TEST(OptionTexts, RoleModels) {
  auto models = parseRoleModels("planner=x, optimizer = y/z=1,");
  ASSERT_TRUE(models) << models.error().message;
  EXPECT_EQ(*models, (std::map<std::string, std::string>{
                         {"planner", "x"}, {"optimizer", "y/z=1"}}));
  EXPECT_TRUE(parseRoleModels("")->empty());
  EXPECT_EQ(parseRoleModels("planer=x").error().message,
            "role-models: there is no role 'planer'; accepted: generator, "
            "planner, optimizer, diagnoser, repairer, agent");
  EXPECT_EQ(parseRoleModels("planner").error().message,
            "role-models: role 'planner' has no model; write planner=NAME");
}

TEST(OptionTexts, Headers) {
  EXPECT_EQ(splitHeaders("A: b, c; D: $E ;"),
            (std::vector<std::string>{"A: b, c", "D: $E"}));
}

TEST(Prices, OptionsComeFirstAndEveryRoleCounts) {
  ProviderOptions options;
  options.prices = {{"m", {1, 1}}};
  options.model = "m";
  EXPECT_TRUE(options.hasPrices());
  options.roleModels = {{"planner", "unheard-of"}};
  EXPECT_FALSE(options.hasPrices());
  options.inputDollarsPerMillion = 7;
  options.outputDollarsPerMillion = 8;
  EXPECT_TRUE(options.hasPrices());
  EXPECT_EQ(options.pricesFor("")->input, 7);
}

TEST(Prices, BadTables) {
  EXPECT_EQ(load(R"({"m": {"input": 1}})").error().message,
            "m.output: missing");
  EXPECT_EQ(load(R"({"m": {"input": -1, "output": 1, "source": "",
                           "date": ""}})")
                .error()
                .message,
            "m.input: a price is 0 or more dollars for a million tokens");
  EXPECT_TRUE(load(R"({"m": {"input": 1, "output": 1, "cached": 1}})")
                  .error()
                  .message.starts_with("m: unknown member \"cached\""));
  EXPECT_TRUE(load("{").error().message.starts_with("prices: not JSON"));
  EXPECT_FALSE(loadPrices("/nowhere/prices.json"));
}

TEST(Prices, TheTableThatIsShipped) {
  auto prices = loadPrices(KCLAW_PRICES);
  ASSERT_TRUE(prices) << prices.error().message;
  EXPECT_GE(prices->size(), 10u);
  for (const auto &[model, row] : *prices) {
    EXPECT_GT(row.input, 0) << model;
    EXPECT_GE(row.output, row.input) << model;
    EXPECT_LE(row.cachedInput.value_or(0), row.input) << model;
    EXPECT_GE(row.cacheWrite.value_or(row.input), row.input) << model;
  }
}

} // namespace
