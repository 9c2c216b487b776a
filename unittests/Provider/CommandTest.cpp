// provider=command: programs that answer, and programs that do not.
#include "TemporaryDirectory.h"
#include "kernelclaw/Provider/Provider.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <thread>

using namespace kclaw;

namespace {

class Command : public testing::Test {
protected:
  /// A program in Python; `q` is the question.
  std::string program(const std::string &code) {
    std::string path = folder / ("program" + std::to_string(++count) + ".py");
    std::ofstream(path) << "import json, os, signal, subprocess, sys, time\n"
                           "q = json.load(sys.stdin)\n"
                        << code << "\n";
    return path;
  }

  static std::string quoted(const std::string &text) {
    std::string result = "\"";
    for (char c : text)
      result +=
          (c == '"' || c == '\\' || c == '$' ? std::string("\\") : "") + c;
    return result + "\"";
  }

  ProviderOptions options(const std::string &code) {
    ProviderOptions options;
    options.kind = "command";
    options.command = std::string(KCLAW_PYTHON) + " " + quoted(program(code));
    options.timeoutSeconds = 30;
    return options;
  }

  static Expected<Reply> ask(const ProviderOptions &options) {
    auto provider = createProvider(options);
    if (!provider)
      return std::unexpected(provider.error());
    Conversation conversation;
    conversation.id = "abc-2";
    conversation.role = "planner";
    conversation.messages = {{"user", "why \"?\n"}};
    return (*provider)->complete(conversation);
  }

  /// The text of the answer, or the error behind the program's name.
  std::string outcome(const ProviderOptions &options) {
    auto reply = ask(options);
    if (reply)
      return "answer: " + reply->text;
    std::string text = reply.error().message;
    size_t name = text.find("' ");
    return name == std::string::npos ? text : text.substr(name + 2);
  }
  std::string run(const std::string &code) { return outcome(options(code)); }

  /// A killed process goes soon; a zombie that nobody has reaped is dead.
  static bool dies(pid_t process) {
    for (int i = 0; i < 250; ++i) {
      std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
      std::string pid, name, state;
      if (!(stat >> pid >> name >> state) || state == "Z")
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }

  TemporaryDirectory folder;
  int count = 0;
};

TEST_F(Command, GetsTheQuestionAndGivesAReply) {
  ProviderOptions asked = options(
      "print(json.dumps({'text': q['messages'][0]['content'] + q['role'],"
      " 'toolCalls': [{'name': 'f', 'arguments': {'a': 1}}],"
      " 'usage': {'inputTokens': 1000, 'outputTokens': 10}}))");
  asked.model = "m";
  asked.prices = {{"m", {2, 4}}};
  auto reply = ask(asked);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->text, "why \"?\nplanner");
  EXPECT_EQ(reply->toolCalls[0].arguments, "{\"a\":1}");
  EXPECT_EQ(reply->finishReason, "tool_calls");
  EXPECT_NEAR(reply->usage.dollars, 0.00204, 1e-12);
}

TEST_F(Command, TextIsTextAlsoWhereItIsJson) {
  EXPECT_EQ(run("print('a plan')"), "answer: a plan\n");
  EXPECT_EQ(run("print('{\"modules\": []}')"), "answer: {\"modules\": []}\n");
  EXPECT_EQ(run("print('```json\\n{\"text\": \"inside\"}\\n```')"),
            "answer: inside");
  EXPECT_EQ(run("print('{\"text\": \"a')"), "answer: {\"text\": \"a\n");
}

TEST_F(Command, FailuresTellWhatTheProgramSaid) {
  EXPECT_EQ(run("sys.exit('\\n'.join('abcde'))"),
            "ended with exit code 1: c\nd\ne");
  EXPECT_EQ(run("sys.exit(3)"),
            "ended with exit code 3, without a word on standard error");
  EXPECT_EQ(run("os.kill(os.getpid(), signal.SIGSEGV)"),
            "was killed by signal 11 (Segmentation fault), without a word on "
            "standard error");
  EXPECT_NE(run("pass").find("it wrote no answer"), std::string::npos);
  EXPECT_NE(run("print('{\"text\": 7}')").find("text: expected a string"),
            std::string::npos);
}

TEST_F(Command, DoesNotReadItsInput) {
  ProviderOptions asked = options("");
  asked.command = "echo answered";
  EXPECT_EQ(outcome(asked), "answer: answered\n");
}

TEST_F(Command, TimeLimitEndsTheWholeGroup) {
  std::string file = folder / "pid";
  ProviderOptions asked =
      options("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
              "child = subprocess.Popen(['sleep', '300'])\n"
              "open(" +
              nlohmann::json(file).dump() +
              ", 'w').write(str(child.pid))\n"
              "print('half', flush=True)\nsys.stderr.write('thinking\\n')\n"
              "sys.stderr.flush()\ntime.sleep(300)");
  asked.timeoutSeconds = 4;
  EXPECT_EQ(outcome(asked),
            "gave no answer within 4 s and was ended; it said: thinking");
  pid_t child = 0;
  ASSERT_TRUE(std::ifstream(file) >> child);
  EXPECT_TRUE(dies(child));
}

TEST_F(Command, Cancelled) {
  std::atomic<bool> cancelled = false;
  ProviderOptions asked = options("time.sleep(300)");
  asked.cancelled = &cancelled;
  asked.timeoutSeconds = 60;
  std::jthread user([&cancelled] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancelled = true;
  });
  EXPECT_EQ(outcome(asked), "was cancelled");
}

TEST_F(Command, EndlessOutput) {
  EXPECT_EQ(run("while True: sys.stdout.write('x' * 65536)"),
            "wrote more than 8 MiB and was ended");
  EXPECT_EQ(run("for _ in range(1000): sys.stderr.write('y' * 65536)\n"
                "print('fine')"),
            "answer: fine\n");
}

TEST_F(Command, WhatItLeavesRunningIsNotWaitedFor) {
  EXPECT_EQ(run("subprocess.Popen(['sleep', '300'])\nprint('fine')"),
            "answer: fine\n");
}

TEST_F(Command, GetsNoKeysUnlessTheyAreNamed) {
  setenv("KERNELCLAW_TEST_API_KEY", "sk-secret-3", 1);
  setenv("KERNELCLAW_TEST_PLAIN", "plain", 1);
  const char *show =
      "e = os.environ\n"
      "print(e.get('KERNELCLAW_TEST_API_KEY'), e['KERNELCLAW_TEST_PLAIN'])";
  EXPECT_EQ(run(show), "answer: None plain\n");
  ProviderOptions named = options(show);
  named.keyVariable = "KERNELCLAW_TEST_API_KEY";
  EXPECT_EQ(outcome(named), "answer: <key> plain\n"); // and is kept nowhere
  named.keyVariable = "KERNELCLAW_TEST_UNSET";
  EXPECT_EQ(outcome(named), "provider command: the environment variable "
                            "KERNELCLAW_TEST_UNSET is not set");
}

TEST_F(Command, NoShellIsInvolved) {
  ProviderOptions asked = options("");
  asked.command = "echo one; echo two";
  EXPECT_NE(outcome(asked).find("no shell is involved"), std::string::npos);
  asked.command = "echo '$(date); `date`'";
  EXPECT_EQ(outcome(asked), "answer: $(date); `date`\n");
  asked.command = "no-such-program-here";
  EXPECT_NE(outcome(asked).find("cannot start 'no-such-program-here'"),
            std::string::npos);
}

} // namespace
