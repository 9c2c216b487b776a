"use strict";
// The head of the report, and each region when it is opened.

const run = data("run");

function showFacts() {
  const where = document.getElementById("facts");
  const given = run.run, caps = run.caps;
  const said = (list) => list.length ? list.join(", ") : "not on record";
  const models = Object.entries(run.models).map(([role, names]) => `${role}: ${names.join(", ")}`);
  const capList = [["maxAttempts", "attempts a region"], ["maxTokens", "tokens"],
                   ["maxDollars", "$"], ["maxSeconds", "s"], ["maxGpuSeconds", "device s"]]
    .filter(([name]) => known(caps[name]))
    .map(([name, unit]) => `${number(caps[name], 9)} ${unit}`);
  where.append(facts([
    ["Device", said(run.devices)], ["Architecture", given.arch],
    ["Driver", said(run.drivers)], ["Evidence", said(run.evidence)],
    ["Strategy", given.strategy], ["Provider", given.provider ?? "not on record"],
    ["Models", models.join("; ") || "not named in the replies"],
    ["Seed", known(given.seed) ? String(given.seed) : ""],
    ["Ended", run.status + (known(run.exitCode) ? ` (exit code ${run.exitCode})` : "")],
    ["Whole module", run.verify.status ? `${run.verify.status}${run.verify.reason
      ? ": " + run.verify.reason : ""}` : "not checked"],
    ["Caps", capList.join(", ")],
    ["Wall time", known(run.wallSeconds) ? `${seconds(run.wallSeconds)} s` : ""],
    ["Run directory", run.path]]));
}

function openRegion(place) {
  const section = document.getElementById(`details-${place}`);
  section.open = true;
  section.scrollIntoView();
}

function showRegions() {
  const where = document.getElementById("regions");
  if (!run.regions.length) {
    where.append(note("No region is on record: the run ended before its first one."));
    return;
  }
  const columns = [["region", ""], ["source", "file:line"], ["family", ""], ["verdict", ""],
    ["stock", "µs", true], ["best", "µs", true], ["speed-up", "× [interval]", true],
    ["bound", "µs", true], ["share", "of time", true], ["attempts", "", true],
    ["calls", "", true], ["tokens", "", true], ["cost", "$", true], ["device", "s", true],
    ["evidence", ""]];
  const short = (line) => line.split("/").pop();
  const rows = run.regions.map((r, place) => ({"data-region": place, cells: [
    element("td", {}, element("button", {type: "button", onclick: () => openRegion(place)},
                              r.symbols[0] ?? r.hash.slice(0, 8)),
            r.symbols.length > 1 ? ` and ${r.symbols.length - 1} equal` : ""),
    element("td", {class: "source", title: r.lines.join("\n")}, r.lines.length
      ? short(r.lines[0]) + (r.lines.length > 1 ? ` +${r.lines.length - 1}` : "") : none),
    r.family || none,
    element("td", {title: r.reason}, chip(r.verdict), r.fromStore ? " from the store" : ""),
    number(r.stockMicroseconds) + (r.stockModelled && known(r.stockMicroseconds) ? "*" : ""),
    number(r.bestMicroseconds), ratio(r.speedup) + interval(r),
    element("td", {class: "num", title: r.boundBy}, number(r.bound)),
    known(r.timeShare) ? `${(100 * r.timeShare).toFixed(1)} %` : none,
    count(r.attempts), count(r.cost.calls), count(tokens(r.cost)), dollars(r.cost.dollars),
    seconds(r.cost.gpuSeconds), r.evidence || none]}));
  where.append(tableOf(columns, rows, {class: "regions"}), element("p", {class: "quiet"},
    "Times are medians at the sizes that were judged; * modelled, not measured. The bound is " +
    "the profile's roofline, else a device copy of the bytes that must move."));
}

function showCosts() {
  document.getElementById("costs").append(element("div", {class: "stacked"},
    costsTable(run.roles, run.total, run.models),
    plot("run-roles", run.plots.roles, "No tokens are on record: no model was asked, or its program does not count.")));
}

function showDetails() {
  const where = document.getElementById("details");
  run.regions.forEach((row, place) => {
    const section = element("details", {class: "region", id: `details-${place}`},
      element("summary", {}, element("strong", {}, row.symbols[0] ?? row.hash),
              chip(row.verdict), row.family, " ", ratio(row.speedup), " · ",
              `${row.attempts} attempt${row.attempts === 1 ? "" : "s"}`));
    section.addEventListener("toggle", () => {
      if (!section.open || section.dataset.built) return;
      section.dataset.built = "true";
      section.append(...regionBody(data(`region-${place}`), run));
    });
    where.append(section);
  });
  if (run.regions.length) document.getElementById("details-0").open = true;
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  for (const host of plots) host.isConnected ? draw(host) : plots.delete(host);
}

const dark = matchMedia("(prefers-color-scheme: dark)");
setTheme(dark.matches ? "dark" : "light");
dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
document.getElementById("theme").addEventListener("click", () =>
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));

document.getElementById("problems").append(...run.problems.map(note));
showFacts();
showRegions();
showCosts();
showDetails();
