// A store as one file: equal stores give equal bytes, what goes out comes in,
// conflicts keep the faster winner, damage costs the rows that it hits.
#include "Plan/SchemaCompare.h"
#include "SampleStore.h"

#include <gmock/gmock.h>

#include <fstream>

using namespace kclaw;

namespace {

KernelSpec specOf(const std::string &hash) {
  KernelSpec spec = sampleSpec();
  spec.specHash = hash;
  return spec;
}

/// Two winners, a kept region, a refuted plan, an experience, a lesson; put in
/// an order that depends on `first`.
void fill(Store &store, const std::string &first, const std::string &second) {
  StoreEntry kept;
  kept.reason = "nothing beat stock";
  Plan wrong = samplePlan();
  wrong.title = "wrong";
  for (const std::string &hash : {first, second}) {
    ASSERT_TRUE(store.describe(specOf(hash)));
    ASSERT_TRUE(store.put(keyOf(hash), winner(10)));
    ASSERT_TRUE(store.learn(sampleExperience("r/" + hash + "/1")));
    ASSERT_TRUE(store.propose(sampleLesson("r/" + hash + "/1")));
  }
  ASSERT_TRUE(store.put(keyOf("kept"), kept));
  // One whose search is over, and what another provider will look at.
  kept.reason = "stock is at the roofline";
  kept.provenance = "{\"search\":\"x\"}";
  kept.plan = samplePlan();
  kept.evaluation.evidence = Evidence::Measured;
  kept.evaluation.stock = {true, "", 30, 20, {{"steps[0]", "algo 7", 20, 64}}};
  ASSERT_TRUE(store.put(keyOf("settled"), kept));
  ASSERT_TRUE(store.describe(specOf("kept")));
  ASSERT_TRUE(store.refute(keyOf("bad"), wrong, "result 0 was wrong"));
}

std::string exported(Store &store, const ExportChoice &choice = {}) {
  auto contents = store.contents();
  EXPECT_TRUE(contents) << contents.error().message;
  EXPECT_THAT(contents->damage, testing::IsEmpty());
  return writeStoreFile(*contents, choice);
}

/// What an export of fill() holds.
std::string sampleFile() {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  fill(**store, "a", "b");
  return exported(**store);
}

int count(const std::string &text, const std::string &part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(StoreFile, EqualStoresGiveEqualBytes) {
  TemporaryDirectory folder;
  auto store = openStore(folder / "one");
  fill(**store, "a", "b");
  auto other = openStore(folder / "two");
  fill(**other, "b", "a");
  std::string text = exported(**store);
  EXPECT_EQ(text, exported(**other));
  EXPECT_EQ(count(text, "\"kind\":\"winner\""), 2);
  EXPECT_EQ(count(text, "\"kind\":\"spec\""), 2) << "of winners only";
  EXPECT_EQ(count(text, "\n"), 2 + 2 + 1 + 2 + 2 + 2 + 1);
  EXPECT_EQ(count(text, "node7"), 0) << "a host's name is nobody's business";
  EXPECT_EQ(count(text, "nothing beat stock"), 0);
  EXPECT_EQ(count(text, "stock is at the roofline"), 1);
}

TEST(StoreFile, FollowsItsSchema) {
  compareWithFile(sampleFile(), "store-file.schema.json");
}

TEST(StoreFile, WhatGoesOutComesIn) {
  TemporaryDirectory folder;
  std::string text = sampleFile();
  auto contents = parseStoreFile(text);
  ASSERT_TRUE(contents) << contents.error().message;
  EXPECT_THAT(contents->damage, testing::IsEmpty());
  auto store = openStore(folder.str());
  auto report = (*store)->merge(*contents, 1);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->winners, 2);
  EXPECT_EQ(report->experiences, 2);
  EXPECT_EQ(report->lessons, 2);
  EXPECT_EQ(report->kept, 1);
  auto settled = (*store)->find(keyOf("settled"));
  ASSERT_TRUE(settled && *settled);
  EXPECT_FALSE((*settled)->won);
  EXPECT_EQ((*settled)->evaluation.stock.choices.at(0).choice, "algo 7");
  EXPECT_EQ(exported(**store), text);
  // Twice is once.
  report = (*store)->merge(*contents, 1);
  EXPECT_EQ(report->winners, 0);
  EXPECT_EQ(report->known, 2);
  EXPECT_EQ(exported(**store), text);
  Plan wrong = samplePlan();
  wrong.title = "wrong";
  EXPECT_EQ(**(*store)->refuted(keyOf("bad"), wrong), "result 0 was wrong");
}

TEST(StoreFile, PartsCanBeChosen) {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  fill(**store, "a", "b");
  std::string text = exported(**store, {false, true, false});
  EXPECT_EQ(count(text, "\"kind\":"), 2 + count(text, "\"kind\":\"real\""));
  EXPECT_EQ(count(text, "\"kind\":\"experience\""), 2);
  EXPECT_EQ(
      count(exported(**store, {false, false, true}), "\"kind\":\"lesson\""), 2);
  EXPECT_TRUE(parseStoreFile(exported(**store, {false, false, false})));
}

TEST(StoreFile, TheFasterWinnerStays) {
  for (auto [own, theirs, left] :
       {std::tuple{10, 5, 5}, std::tuple{10, 20, 10}}) {
    TemporaryDirectory folder;
    auto store = openStore(folder.str());
    ASSERT_TRUE((*store)->put(key, winner(own)));
    StoreContents contents;
    contents.entries = {{key, winner(theirs)}};
    // Of another evidence class: it has its own place.
    StoreKey simulated = key;
    simulated.evidence = Evidence::Simulated;
    contents.entries.push_back({simulated, winner(1)});
    auto report = (*store)->merge(contents, 1);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->slower, theirs > own);
    EXPECT_EQ(storedMicroseconds(**store), left);
    EXPECT_EQ(storedMicroseconds(**store, simulated), 1);
  }
}

TEST(StoreFile, WhatOneSideRefutedTheOtherDoesNotBringBack) {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  ASSERT_TRUE((*store)->refute(key, samplePlan(), "wrong"));
  StoreContents contents;
  contents.entries = {{key, winner(5)}};
  EXPECT_EQ((*store)->merge(contents, 1)->refusedWinners, 1);
  EXPECT_EQ(storedMicroseconds(**store), -1);
  // And a refutation that comes in ends the winner that is here.
  auto other = openStore(folder / "other");
  StoreKey current = key;
  current.rulesVersion = evaluatorRulesVersion;
  ASSERT_TRUE((*other)->put(current, winner(5)));
  StoreContents refutation;
  refutation.refuted = {
      {key.specHash, key.arch, key.policy, toJson(samplePlan()), "wrong"}};
  ASSERT_TRUE((*other)->merge(refutation, 1));
  EXPECT_EQ(storedMicroseconds(**other, current), -1);
}

TEST(StoreFile, ImportedRowsWeighLess) {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  Experience mine = sampleExperience("r/a/1"), theirs = mine;
  mine.weight = theirs.weight = 1;
  theirs.gain = 9;
  ASSERT_TRUE((*store)->learn(mine));
  StoreContents contents;
  contents.experiences = {theirs, sampleExperience("other/a/1")};
  contents.experiences[1].weight = 1;
  auto report = (*store)->merge(contents, importedWeight);
  EXPECT_EQ(report->known, 1);
  EXPECT_EQ(report->experiences, 1);
  auto rows = *(*store)->experiences({});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].weight, importedWeight);
  EXPECT_EQ(rows[1].weight, 1);
  EXPECT_EQ(rows[1].gain, mine.gain);
}

TEST(StoreFile, AnExportedFileIsAStoreThatIsNotWritten) {
  TemporaryDirectory folder;
  std::string path = folder / "shared.json", text = sampleFile();
  std::ofstream(path) << text;
  auto store = openStore(path);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(storedMicroseconds(**store, keyOf("a")), 10);
  EXPECT_EQ((*store)->experiences({})->at(0).weight, sampleExperience().weight);
  ASSERT_TRUE((*store)->put(keyOf("new"), winner(1)));
  EXPECT_EQ(storedMicroseconds(**store, keyOf("new")), 1);
  store->reset();
  std::ifstream again(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(again), {}), text);
  EXPECT_EQ(storedMicroseconds(**openStore(path), keyOf("new")), -1);
  EXPECT_NE(
      openStore(folder / "none.json").error().message.find("No such file"),
      std::string::npos);
}

TEST(StoreFile, OtherVersionsAreRefusedWithTheReason) {
  std::string text = sampleFile();
  std::string newer = text;
  newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 7");
  EXPECT_EQ(parseStoreFile(newer).error().message,
            "it has version 7, this program reads version 1; export it again "
            "with the kernelclaw-store of the same version as this one");
  for (const char *other : {"", "{}", "[1]", "<html>", "\n\n",
                            "{\"format\": \"x\", \"version\": 1}"})
    EXPECT_THAT(parseStoreFile(other).error().message,
                testing::HasSubstr("this is no exported store"))
        << other;
}

// Traps ST-01 and ST-03: a cut in a row, in a character, before the last line
// end; a run of NUL bytes; a conflict's marks; repeated and swapped rows.
TEST(StoreFile, DamageCostsTheRowsThatItHits) {
  StoreContents hundred;
  for (int i = 100; i < 200; ++i) {
    Experience e = sampleExperience("r/a/" + std::to_string(i));
    e.method = "m\xC3\xA9thode";
    hundred.experiences.push_back(e);
  }
  const std::string text = writeStoreFile(hundred);
  auto rows = [](const std::string &damaged) {
    auto contents = parseStoreFile(damaged);
    EXPECT_TRUE(contents) << contents.error().message;
    return std::pair(contents->experiences.size(), contents->damage);
  };
  EXPECT_EQ(rows(text).first, 100u);
  EXPECT_EQ(rows(text).second.size(), 0u);

  size_t row50 = text.find("{\"kind\":\"experience\",\"id\":\"r/a/149\"");
  std::string nuls = text;
  nuls.replace(row50 + 20, 400, std::string(400, '\0'));
  auto [left, damage] = rows(nuls);
  // 400 bytes may reach into the next row, and no further.
  EXPECT_GE(left, 98u);
  EXPECT_LT(left, 100u);
  ASSERT_FALSE(damage.empty());
  EXPECT_TRUE(
      damage[0].starts_with("damaged at byte " + std::to_string(row50) + ": "))
      << damage[0];

  size_t last = text.rfind("{\"kind\"");
  for (size_t at : {last + 30, text.rfind("\xC3\xA9") + 1}) {
    auto cut = rows(text.substr(0, at));
    EXPECT_EQ(cut.first, 99u);
    EXPECT_EQ(cut.second.size(), 1u);
  }
  // The row is whole, only the end of the document is missing.
  auto cut = rows(text.substr(0, text.size() - 4));
  EXPECT_EQ(cut.first, 100u);
  EXPECT_EQ(cut.second.size(), 1u);

  std::string conflict = text;
  conflict.insert(row50, "<<<<<<< ours\n");
  EXPECT_EQ(rows(conflict).first, 100u);
  EXPECT_EQ(rows(conflict).second.size(), 1u);

  // Repeated and out of order: whole, and one row each after the merge.
  StoreContents twice;
  for (auto it = hundred.experiences.rbegin(); it != hundred.experiences.rend();
       ++it)
    twice.experiences.insert(twice.experiences.end(), {*it, *it});
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  EXPECT_EQ((*store)->merge(twice, 1)->known, 100);
  EXPECT_EQ((*store)->experiences({})->size(), 100u);
}

TEST(StoreFile, ABuildRefusesADamagedFile) {
  TemporaryDirectory folder;
  std::string path = folder / "shared.json", text = sampleFile();
  std::ofstream(path) << text.substr(0, text.size() / 2);
  auto store = openStore(path);
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message,
              testing::AllOf(testing::HasSubstr("shared.json': damaged at "
                                                "byte "),
                             testing::HasSubstr("kernelclaw-store import")));
}

} // namespace
