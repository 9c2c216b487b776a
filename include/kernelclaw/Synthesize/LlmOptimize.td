//===- LlmOptimize.td - The pass llm-optimize and its options --------*- tablegen -*-//
//
// The one table of options. Where a description says
// "one of: a, b", the values are checked against exactly that list, so help and
// check cannot disagree.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_SYNTHESIZE_LLMOPTIMIZE_TD
#define KERNELCLAW_SYNTHESIZE_LLMOPTIMIZE_TD

include "mlir/Pass/PassBase.td"

class Text<string member, string flag, string default, string help>
    : Option<member, flag, "std::string", "\"" # default # "\"", help>;
class Flag<string member, string flag, string default, string help>
    : Option<member, flag, "bool", default, help>;
class Number<string member, string flag, string default, string help>
    : Option<member, flag, "double", default, help>;

def LlmOptimize : Pass<"llm-optimize", "::mlir::ModuleOp"> {
  let summary = "outline, synthesize, embed and lower: the whole pipeline";
  let description = [{
    Reads a module in Torch dialect, outlines the parts worth a custom kernel,
    has a provider write a kernel for each, keeps those that an evaluator finds
    right and faster than stock, embeds them and lowers the module to the LLVM
    dialect with the entry ABI of Runtime/kernelclaw.h. Without a key and
    without a network the default provider (expert) works from the memory bank.
  }];
  let constructor = "::kclaw::createLlmOptimizePass()";
  let options = [
    Text<"provider", "provider", "expert",
         "who writes kernels; one of: expert, openai, anthropic, command, "
         "exchange, replay, none">,
    Text<"model", "model", "", "model name for openai and anthropic">,
    Text<"roleModels", "role-models", "",
         "models of single roles, such as 'planner=NAME,optimizer=NAME'; other "
         "roles use model">,
    Text<"baseUrl", "base-url", "",
         "endpoint of openai or anthropic; empty: the provider's own">,
    Text<"api", "api", "chat",
         "which of its interfaces provider=openai uses; one of: chat, "
         "responses">,
    Text<"keyVariable", "key-variable", "",
         "environment variable with the key; empty: KERNELCLAW_API_KEY for "
         "openai, ANTHROPIC_API_KEY for anthropic. command: variables that the "
         "program gets although they look like keys, with commas between">,
    Text<"header", "header", "",
         "more headers of each request, 'Name: value', with semicolons between; "
         "a word $NAME of a value is read from the environment">,
    Text<"reasoningEffort", "reasoning-effort", "default",
         "how long models think; one of: default, minimal, low, medium, high, "
         "xhigh, max">,
    Flag<"stream", "stream", "true",
         "receive answers of openai and anthropic as they are written">,
    Text<"command", "command", "",
         "program of provider=command with its arguments, split into words as a "
         "shell would; started once a call, it reads the question as JSON and "
         "writes the answer (docs/providers.md)">,
    Number<"callSeconds", "call-seconds", "300",
           "a call of openai, anthropic or command that takes longer is ended">,
    Text<"prices", "prices", "",
         "file with dollars for a million tokens by model; empty: prices.json "
         "of memorybank">,
    Text<"evaluator", "evaluator", "local",
         "who judges kernels; one of: local, mailbox, replay, none">,
    Flag<"cpuFallback", "cpu-fallback", "true",
         "unless device=cpu: add the CPU lowering as a second entry NAME_cpu">,
    Text<"launcher", "launcher", "",
         "evaluator=local: what starts the worker, such as 'srun -N1', split "
         "into words as a shell would">,
    Option<"workers", "workers", "int64_t", "0",
           "evaluator=local: kernels judged at once, each on a device of its "
           "own, up to 64; 0: as many as there are GPUs to be seen "
           "(CUDA_VISIBLE_DEVICES chooses), one on the simulator and behind a "
           "launcher">,
    Text<"device", "device", "cuda",
         "what to optimise for; one of: cuda, sim, auto, cpu. cuda: a GPU. "
         "sim: kernels for a GPU, judged on the simulated driver; evidence is "
         "then 'simulated', see accept. auto: cuda where there is a GPU, else "
         "sim. cpu skips kernels and lowers for the host">,
    Text<"arch", "arch", "sm_90a",
         "architecture that kernels are built for: sm_75 to sm_121a; an "
         "unknown one is answered with all of them">,
    Text<"policy", "policy", "torch",
         "precision policy; one of: torch, strict, tf32, loose">,
    Text<"granularity", "granularity", "auto",
         "how regions are cut; one of: auto, op, fusion, function">,
    Text<"accept", "accept", "measured",
         "weakest evidence that is embedded; one of: measured, simulated. "
         "simulated: what the simulator (device=sim) found right and estimates "
         "to be faster than stock is embedded too">,
    Text<"verify", "verify", "module",
         "check of the whole lowered module before output is written; one of: "
         "module, none. module: a separate process (kernelclaw-run) compares "
         "every result with the f64 lowering of the imported module and drops "
         "winners that make it wrong; needs evaluator=local on a GPU, else the "
         "run's record says unverified. What it compares with is written beside the "
         "output as OUT.verify.json, for kernelclaw-run OUT --verify later">,
    Text<"missing", "missing", "stock",
         "when no kernel was won for a region; one of: stock, error. With "
         "provider=none: when the store knows nothing of it, neither a winner "
         "nor a search that ended with stock; all such regions are named">,
    Flag<"keepUnsupported", "keep-unsupported", "false",
         "unless device=cpu: leave ops that cannot be lowered as Torch IR around "
         "calls of the regions, which keep their Torch body and name their "
         "device code in claw.embedded; the module is then not lowered "
         "further">,
    Text<"graph", "graph", "off",
         "CUDA graphs; one of: off, auto. auto: NAME_hints of entries with "
         "several steps advises callers to capture a call and replay it, as "
         "kernelclaw-run does">,
    Flag<"deterministic", "deterministic", "false",
         "refuse kernels whose two runs on the same data differ bitwise">,
    Text<"strategy", "strategy", "auto",
         "how attempts are chosen; one of: auto, greedy, roles, agent. greedy: "
         "one question an attempt. roles: generator, planner, optimizer, "
         "diagnoser and repairer, a beam of kernels. agent: one conversation "
         "with tools for each region. auto: agent for a model (openai, "
         "anthropic, command, exchange), what was recorded for replay, else "
         "greedy">,
    Option<"seeds", "seeds", "int64_t", "2",
           "strategy=roles: first kernels that differ in approach, 1 to 16">,
    Option<"beam", "beam", "int64_t", "3",
           "strategy=roles: so many of the best kernels are branched from, 1 to "
           "16">,
    Text<"sidecar", "sidecar", "",
         "JSON file with names, roles and domains of the arguments (the format "
         "of test/samples/*/meta.json); empty: NAME.json or NAME.meta.json "
         "beside NAME.mlir, if there; 'none': no file">,
    Text<"store", "store", "",
         "folder of the store of winners; or a file that kernelclaw-store "
         "exported (FILE.json), which is read and never written; empty: the "
         "user's cache folder; 'none': no store">,
    Text<"runDir", "run-dir", "",
         "folder that records the run; empty: kernelclaw-run-<pid> under the "
         "system's temporary folder">,
    Flag<"resume", "resume", "true",
         "go on with what run-dir already holds; false: refuse a run-dir that "
         "is not empty">,
    Text<"replay", "replay", "",
         "run directory whose replies and evaluations are replayed">,
    Text<"exchangeDir", "exchange-dir", "",
         "folder of provider=exchange; empty: run-dir/exchange">,
    Text<"mailboxDir", "mailbox-dir", "",
         "folder of evaluator=mailbox; empty: run-dir/mailbox">,
    Text<"memorybank", "memorybank", "",
         "folder of skeletons and prompts; empty: the installed one">,
    Text<"progress", "progress", "auto",
         "what stderr shows of a search; one of: auto, live, plain, json, none, "
         "true, false. auto (or true): a block that is drawn anew on a "
         "terminal, else a line per attempt (plain). json: an object per line "
         "(docs/schema/progress.schema.json). false is none">,
    Flag<"estimate", "estimate", "false",
         "print what the run may cost, region by region, and what text would "
         "leave this machine; then stop without asking anybody">,
    Text<"estimateText", "estimate-text", "",
         "estimate: file for the text of every first question, as it would be "
         "sent">,
    Flag<"yes", "yes", "false",
         "on a terminal: spend money without showing the estimate and asking "
         "once">,
    Option<"jobs", "jobs", "int64_t", "0",
           "regions that are searched at once, each with a call or evaluation "
           "under way, up to 256; 0: as many as there are workers, for openai "
           "and anthropic twice as many and at least 4">,
    Text<"stopAfter", "stop-after", "lower",
         "last step; one of: import, outline, synthesize, embed, lower">,
    Number<"maxUsd", "max-usd", "-1",
           "cap in dollars; 0: none; -1: 1 where calls have a price and "
           "max-tokens is not given, else none. It needs the model's price "
           "(prices, or the two below): a call is made only if its upper bound "
           "fits">,
    Number<"usdPerMtokenIn", "usd-per-mtoken-in", "-1",
           "price of a million input tokens in dollars; -1: not known">,
    Number<"usdPerMtokenOut", "usd-per-mtoken-out", "-1",
           "price of a million output tokens in dollars; -1: not known">,
    Option<"maxTokens", "max-tokens", "int64_t", "0", "cap in tokens; 0: none">,
    Option<"maxAttempts", "max-attempts", "int64_t", "4",
           "attempts per region, at least 1">,
    Number<"maxSeconds", "max-seconds", "0",
           "cap in seconds over all processes that worked on run-dir, without "
           "the time it was parked; 0: none">,
    Number<"maxGpuSeconds", "max-gpu-seconds", "0",
           "cap in device seconds; 0: none">,
    Option<"seed", "seed", "uint64_t", "1", "seed of the test data">,
  ];
}

#endif // KERNELCLAW_SYNTHESIZE_LLMOPTIMIZE_TD
