//===- ReplayProvider.cpp - Recorded replies ------------------------------===//
//
// Looks, for the call "<specHash>-<attempt>", for reply-<specHash>-<attempt>,
// then for the file in a copied run directory, then for reply-<attempt>, which
// serves any region; of these, one for the role (reply-<role>-<attempt>) comes
// before one for all. Never by order of calls: a resumed run must find the
// same replies. Nothing recorded: exhausted.
//
//===----------------------------------------------------------------------===//
#include "Providers.h"
#include "Support/Files.h"

namespace kclaw {
namespace {

class ReplayProvider : public Provider {
public:
  explicit ReplayProvider(std::string directory)
      : directory(std::move(directory)) {}

  Expected<Reply> complete(const Conversation &conversation) override {
    const std::string &id = conversation.id;
    size_t dash = id.find('-');
    std::string hash = id.substr(0, dash);
    std::string call = dash == std::string::npos ? id : id.substr(dash + 1);
    size_t again = call.find('-'); // a question asked again: "2-3"
    std::string attempt = call.substr(0, again);
    std::string rest = again == std::string::npos ? "" : call.substr(again);
    std::string role = conversation.role.empty() ? "" : conversation.role + "-";
    const std::string bases[] = {directory + "/reply-" + id,
                                 directory + "/regions/" + hash + "/attempt-" +
                                     attempt + "/reply" + rest,
                                 directory + "/reply-" + role + call,
                                 directory + "/reply-" + call};
    for (const std::string &base : bases) {
      auto reply = readRecordedReply(base);
      if (!reply)
        return std::unexpected(reply.error());
      if (*reply)
        return **reply;
    }
    Reply nothing;
    nothing.exhausted = true;
    return nothing;
  }

private:
  std::string directory;
};

} // namespace

ProviderResult createReplayProvider(const ProviderOptions &options) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(options.directory, ignored))
    return makeError(Error::Code::Invalid,
                     "provider replay: '" + options.directory +
                         "' is not a folder with recorded replies");
  return std::make_unique<ReplayProvider>(options.directory);
}

} // namespace kclaw
