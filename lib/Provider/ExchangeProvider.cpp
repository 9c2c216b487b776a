//===- ExchangeProvider.cpp - A directory mailbox -------------------------===//
//
// Writes request-<id>.md (for people) and request-<id>.json, in this order, and
// answers once reply-<id>.json (or .txt) lies beside them; until then the
// region is parked. Whoever answers writes by
// rename. Asking again is harmless: the same question gets the same file.
//
//===----------------------------------------------------------------------===//
#include "Providers.h"
#include "Support/Files.h"

namespace kclaw {
namespace {

class ExchangeProvider : public Provider {
public:
  explicit ExchangeProvider(const ProviderOptions &options)
      : options(options), directory(options.directory) {}

  Expected<Reply> complete(const Conversation &conversation) override {
    auto reply = readRecordedReply(directory + "/reply-" + conversation.id);
    if (!reply)
      return std::unexpected(reply.error());
    if (*reply) {
      if ((*reply)->usage.dollars == 0)
        (*reply)->usage.dollars =
            priceOf((*reply)->usage, options, conversation.role);
      return **reply;
    }
    const std::string &model = options.modelFor(conversation.role);
    std::string base = directory + "/request-" + conversation.id;
    auto done =
        writeFileAtomically(base + ".md", renderQuestion(conversation, model));
    if (done)
      done = writeFileAtomically(base + ".json",
                                 renderExchangeRequest(conversation, model));
    if (!done)
      return std::unexpected(done.error());
    return makeError(Error::Code::Parked, "waiting for '" + directory +
                                              "/reply-" + conversation.id +
                                              ".json'");
  }

  Usage bound(const Conversation &conversation) const override {
    Usage bound = tokenBound(conversation);
    bound.dollars = priceBound(bound, options, conversation.role);
    return bound;
  }

private:
  ProviderOptions options;
  std::string directory;
};

} // namespace

ProviderResult createExchangeProvider(const ProviderOptions &options) {
  if (options.directory.empty())
    return makeError(Error::Code::Invalid,
                     "provider exchange needs a directory for the mailbox");
  if (auto done = makeDirectory(options.directory); !done)
    return std::unexpected(done.error().context("provider exchange"));
  return std::make_unique<ExchangeProvider>(options);
}

} // namespace kclaw
