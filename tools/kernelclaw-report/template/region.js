"use strict";
// One region: plots, the tree of attempts, counters, costs, differences.

// Attempts with their depth, each below its parent, earlier ones first.
function treeOrder(attempts) {
  const numbers = new Set(attempts.map((a) => a.number));
  const below = Map.groupBy ? Map.groupBy(attempts, (a) => a.parent) : groupByParent(attempts);
  const ordered = [], seen = new Set();
  const visit = (attempt, depth) => {
    if (seen.has(attempt.number)) return;
    seen.add(attempt.number);
    ordered.push({attempt, depth});
    for (const child of below.get(attempt.number) ?? []) visit(child, depth + 1);
  };
  for (const attempt of attempts)
    if (!numbers.has(attempt.parent) || attempt.parent >= attempt.number) visit(attempt, 0);
  for (const attempt of attempts) visit(attempt, 0); // parents in a circle
  return ordered;
}

function groupByParent(attempts) {
  const groups = new Map();
  for (const attempt of attempts)
    groups.set(attempt.parent, [...(groups.get(attempt.parent) ?? []), attempt]);
  return groups;
}

function outcomeChips(attempt) {
  const word = attempt.outcome || "no verdict";
  const kind = word === "ok" ? "ok" : attempt.outcome ? "failed" : "unfinished";
  return [chip(attempt.rule ? `${word}: ${attempt.rule}` : word, kind),
          attempt.isBest ? [" ", chip("★ best", "best")]
            : attempt.promoted ? [" ", chip("promoted", "best")] : []].flat();
}

function treePanel(region) {
  if (!region.attempts.length) return note("There is no attempt to show.");
  const columns = [["attempt", ""], ["parent", "", true], ["phase, method; record", ""],
                   ["outcome", ""], ["speed-up", "over stock", true], ["time", "µs", true],
                   ["tokens", "in and out", true], ["cost", "$", true],
                   ["calls took", "s", true], ["device", "s", true]];
  const rows = treeOrder(region.attempts).map(({attempt, depth}) => ({
    "data-attempt": attempt.number, class: depth ? "child" : null,
    style: `--depth: ${Math.min(depth, 12)}`,
    cells: [
      element("button", {type: "button", title: "what was decided, and what came of it",
                         onclick: () => openAttempt(attempt, region.texts)},
              `${attempt.number}`),
      attempt.parent ? String(attempt.parent) : none,
      element("td", {class: "title"}, [attempt.phase, attempt.method].filter(
        (word, i, all) => word && all.indexOf(word) === i).join(", ") || none,
        attempt.title ? element("div", {class: "quiet"}, attempt.title) : null,
        recordButtons(attempt.record, region.texts, `Attempt ${attempt.number}`)),
      element("td", {}, outcomeChips(attempt)),
      ratio(attempt.speedup) + interval(attempt), number(attempt.microseconds),
      count(tokens(attempt.cost)), dollars(attempt.cost.dollars),
      seconds(attempt.cost.callSeconds), seconds(attempt.cost.gpuSeconds)]}));
  return tableOf(columns, rows, {class: "tree"});
}

function countersTable(attempt, base, meanings) {
  const names = [...new Set([...Object.keys(base?.counters ?? {}), ...Object.keys(attempt.counters),
                             ...Object.keys(attempt.predicted)])].filter((n) => n !== "time");
  const time = {cells: ["time", "µs", number(base?.microseconds), number(attempt.microseconds),
                        ratio(attempt.measured.time), arrows[attempt.predicted.time] ?? none]};
  const rows = names.map((name) => ({cells: [
    element("td", {title: meanings[name]?.[1]}, name), meanings[name]?.[0] ?? "",
    number(base?.counters[name]), number(attempt.counters[name]),
    ratio(attempt.measured[name]), arrows[attempt.predicted[name]] ?? none]}));
  return tableOf([["counter", ""], ["unit", ""],
                  [base ? `attempt ${base.number}` : "parent", "before", true],
                  [`attempt ${attempt.number}`, "after", true], ["after ÷ before", "", true],
                  ["predicted", ""]], [time, ...rows], {class: "counters"});
}

// Parent against attempt, for one attempt at a time.
function countersPanel(region, meanings) {
  const compared = region.attempts.filter((a) => a.base !== null &&
    (Object.keys(a.measured).length || Object.keys(a.predicted).length));
  if (!compared.length) {
    const profiled = region.attempts.some((a) => Object.keys(a.counters).length);
    return note(profiled ? "No attempt came from another one that was right, so there is no " +
      "before and after. Each evaluation has its own counters." :
      "No counters are on record: no attempt was profiled.");
  }
  const choice = element("select", {class: "counters-of"}, compared.map((a) =>
    element("option", {value: a.number}, `${a.number} from ${a.base}: ${a.method || a.phase}`)));
  const shown = element("div", {class: "beside"});
  const update = () => {
    const attempt = compared.find((a) => a.number === Number(choice.value));
    const base = region.attempts.find((a) => a.number === attempt.base);
    shown.replaceChildren(countersTable(attempt, base, meanings),
      plot("counters", attempt.plot,
           "Nothing to compare: this attempt was not measured, or has no profile."));
  };
  const best = compared.findLast((a) => Object.keys(a.measured).length) ?? compared.at(-1);
  choice.value = best.number;
  choice.addEventListener("change", update);
  update();
  return element("div", {}, element("div", {class: "choices"},
    element("label", {}, "Attempt ", choice)), shown);
}

function costsTable(roles, total, models = {}) {
  const row = (name, cost, model) => ({cells: [name, model ?? none, count(cost.calls),
    count(cost.inputTokens), count(cost.cachedInputTokens), count(cost.outputTokens),
    dollars(cost.dollars), seconds(cost.callSeconds), seconds(cost.gpuSeconds),
    cost.lostCalls ? `${cost.lostCalls} (${count(cost.lostTokens)}, $${dollars(cost.lostDollars)})`
                   : "0"]});
  const rows = Object.keys(roles).sort().map((role) =>
    row(role, {...roles[role], gpuSeconds: null}, models[role]?.join(", ")));
  return tableOf([["role", ""], ["model", "as it answered"], ["calls", "", true],
                  ["sent", "tokens", true], ["of it cached", "tokens", true],
                  ["answered", "tokens", true], ["cost", "$", true], ["calls took", "s", true],
                  ["device", "s", true], ["cut off", "calls (tokens, $)", true]],
                 [...rows, row("all", total)], {class: "roles"});
}

function regionBody(region, run) {
  const chosen = (number) =>
    openAttempt(region.attempts.find((a) => a.number === number), region.texts);
  const part = (name, ...content) => [element("h3", {}, name), ...content];
  return [
    facts([["Symbols", region.symbols.join(", ")], ["Source", region.lines.join(", ")],
           ["Shapes", region.shapes], ["How it ended", region.reason], ["Spec", region.hash]]),
    ...region.problems.map(note),
    element("div", {class: "plots"},
      element("div", {}, part("Speed-up over attempts", plot("speedups", region.plots.speedups,
        "There is no attempt to plot.", chosen))),
      element("div", {}, part("Roofline", plot("roofline", region.plots.roofline,
        "No roofline: no profile with operations and bytes is on record" +
        (region.attempts.length ? ", or the region does no arithmetic." : "."), chosen)))),
    ...part("Attempts", treePanel(region)),
    ...part("Counters before and after", countersPanel(region, run.counters)),
    ...part("Cost by role", element("div", {class: "stacked"},
      costsTable(region.roles, region.cost, run.models),
      plot("roles", region.plots.roles, "No tokens are on record: no model was asked, or its program does not count."))),
    ...part("Differences", diffPanel(region.attempts, region.texts)),
    ...part("The task", region.record.length
      ? recordButtons(region.record, region.texts, region.symbols[0] ?? region.hash)
      : note("spec.json, stock.json and reference.json are not in the run directory.")),
  ];
}
