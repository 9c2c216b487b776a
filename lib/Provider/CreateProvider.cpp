//===- CreateProvider.cpp - From an option's word to a provider -----------===//
#include "Providers.h"

namespace kclaw {
namespace {

/// The store only: never has anything to offer.
class NoProvider : public Provider {
public:
  Expected<Reply> complete(const Conversation &) override {
    Reply reply;
    reply.exhausted = true;
    return reply;
  }
};

ProviderResult createNoProvider(const ProviderOptions &) {
  return std::make_unique<NoProvider>();
}

struct Kind {
  std::string_view name;
  ProviderResult (*create)(const ProviderOptions &);
  bool paid;
};

constexpr Kind kinds[] = {{"openai", createHttpProvider, true},
                          {"anthropic", createHttpProvider, true},
                          {"command", createCommandProvider, true},
                          {"exchange", createExchangeProvider, true},
                          {"replay", createReplayProvider, false},
                          {"none", createNoProvider, false}};

} // namespace

bool isPaid(const std::string &kind) {
  for (const Kind &row : kinds)
    if (row.name == kind)
      return row.paid;
  return false;
}

Expected<std::unique_ptr<Provider>>
createProvider(const ProviderOptions &options) {
  for (const Kind &kind : kinds)
    if (kind.name == options.kind)
      return kind.create(options);
  std::string accepted = "expert";
  for (const Kind &kind : kinds)
    accepted += ", " + std::string(kind.name);
  return makeError(Error::Code::Invalid, "unknown provider '" + options.kind +
                                             "'; accepted: " + accepted);
}

} // namespace kclaw
