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
         "who writes kernels; one of: expert, openai, exchange, replay, none">,
    Text<"model", "model", "", "model name for provider=openai">,
    Text<"baseUrl", "base-url", "https://api.openai.com/v1",
         "endpoint for provider=openai; its key comes from the environment "
         "variable KERNELCLAW_API_KEY">,
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
         "when no kernel was won for a region; one of: stock, error">,
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
    Text<"strategy", "strategy", "greedy",
         "how attempts are chosen; one of: greedy">,
    Text<"sidecar", "sidecar", "",
         "JSON file with names, roles and domains of the arguments (the format "
         "of test/samples/*/meta.json); empty: NAME.json or NAME.meta.json "
         "beside NAME.mlir, if there; 'none': no file">,
    Text<"store", "store", "",
         "folder of the store of winners; empty: the user's cache folder; "
         "'none': no store">,
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
    Flag<"progress", "progress", "true", "one line per attempt on stderr">,
    Text<"stopAfter", "stop-after", "lower",
         "last step; one of: import, outline, synthesize, embed, lower">,
    Number<"maxUsd", "max-usd", "0",
           "cap in dollars; 0: none. With provider=openai or exchange it needs "
           "the prices below: a call is made only if its upper bound fits">,
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
