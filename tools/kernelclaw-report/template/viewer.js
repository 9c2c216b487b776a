"use strict";
// The pane that shows one file of the record, an attempt, or a difference.

const viewer = document.getElementById("viewer");
document.getElementById("viewer-close").addEventListener("click", () => viewer.close());
viewer.addEventListener("click", (event) => {
  if (event.target === viewer) viewer.close();
});

function openViewer(title, remark, ...content) {
  document.getElementById("viewer-title").replaceChildren(title);
  document.getElementById("viewer-note").replaceChildren(remark);
  document.getElementById("viewer-body").replaceChildren(...content);
  if (!viewer.open) viewer.showModal();
  viewer.scrollTop = 0;
}

// A file of the record: its parts, each with a heading that folds it.
function openRecord(view, texts, title) {
  const shown = view.parts.map((part) => {
    const text = element("pre", {}, texts[part.text]);
    if (view.parts.length === 1 && !part.head) return text;
    const size = `${count(texts[part.text].length)} characters`;
    return element("details", {open: true}, element("summary", {}, part.head || "members", " ",
      element("span", {class: "quiet"}, size)), text);
  });
  openViewer(title, `${view.path}, ${count(view.bytes)} bytes`, ...shown);
}

function recordButtons(views, texts, title) {
  return element("div", {class: "record"}, views.map((view) =>
    element("button", {type: "button", "data-kind": view.kind,
                       onclick: () => openRecord(view, texts, `${title}: ${view.label}`)},
            view.label)));
}

const arrows = {"-1": "↓ down", 0: "= same", 1: "↑ up"};

function changesOf(attempt) {
  const names = [...new Set([...Object.keys(attempt.predicted), ...Object.keys(attempt.measured)])];
  if (!names.length) return null;
  return tableOf([["counter", ""], ["predicted", ""], ["measured", "÷ parent", true]],
    names.sort().map((name) => ({cells: [name, arrows[attempt.predicted[name]] ?? none,
                                         ratio(attempt.measured[name])]})));
}

function openAttempt(attempt, texts) {
  const quoted = (lines) => lines.length
    ? element("ul", {}, lines.map((line) => element("li", {}, line))) : null;
  const rows = facts([
    ["Outcome", attempt.outcome + (attempt.rule ? ` (${attempt.rule})` : "") || "no verdict"],
    ["Evidence", attempt.verdictEvidence], ["From attempt", attempt.parent || "none"],
    ["Phase", attempt.phase], ["Method", attempt.method], ["Approach", attempt.approach],
    ["Speed-up over stock", ratio(attempt.speedup) + interval(attempt)],
    ["Time", known(attempt.microseconds) ? `${number(attempt.microseconds)} µs` : ""],
    ["Gain over its parent", known(attempt.gain) ? ratio(attempt.gain) : ""],
    ["Case of the decision table", attempt.case], ["Headroom", attempt.headroom],
    ["Profile", attempt.profileLevel + (attempt.profileReason ? `: ${attempt.profileReason}` : "")],
  ]);
  const told = [["Message", attempt.message], ["Bottleneck", attempt.bottleneck],
                ["Plan", attempt.plan], ["Evidence", quoted(attempt.evidence)],
                ["Root cause", attempt.rootCause], ["Quotes", quoted(attempt.quotes)],
                ["Fix", attempt.fix], ["Predicted and measured", changesOf(attempt)]]
    .filter(([, value]) => value)
    .flatMap(([name, value]) => [element("h3", {}, name),
      value instanceof Node ? value : element("pre", {}, value)]);
  const title = `Attempt ${attempt.number}`;
  openViewer(attempt.title ? `${title}: ${attempt.title}` : title,
             attempt.onRecord ? "" : "No attempt.json: what was decided is not on record.",
             rows, recordButtons(attempt.record, texts, title), ...told);
}

// --- differences ----------------------------------------------------------

function diffOf(a, b, texts, whole) {
  const files = [...new Set([...Object.keys(a.sources), ...Object.keys(b.sources)])].sort();
  const lines = (sources, file) =>
    file in sources ? texts[sources[file]].split("\n") : [];
  const blocks = files.map((file) => {
    const rows = diffLines(lines(a.sources, file), lines(b.sources, file));
    const changed = rows.filter((row) => row.kind !== "same").length;
    const signs = {same: "  ", added: "+ ", removed: "- ", skipped: ""};
    return element("details", {open: changed > 0},
      element("summary", {}, file, " ", element("span", {class: "quiet"},
        changed ? `${changed} lines differ` : "equal")),
      element("pre", {class: "diff"}, (whole ? rows : shorten(rows)).map((row) =>
        element("span", {class: row.kind}, signs[row.kind] + row.text))));
  });
  return blocks.length ? blocks : [note("Neither attempt has sources on record.")];
}

function diffPanel(attempts, texts) {
  const withSources = attempts.filter((a) => Object.keys(a.sources).length);
  if (withSources.length < 2)
    return note("There are no two attempts with sources to compare.");
  const options = () => withSources.map((a) => element("option", {value: a.number},
    `${a.number}: ${a.outcome || "no verdict"}${a.title ? ", " + a.title.slice(0, 50) : ""}`));
  const from = element("select", {class: "diff-from"}, options());
  const to = element("select", {class: "diff-to"}, options());
  const whole = element("input", {type: "checkbox"});
  const shown = element("div", {class: "diff-shown"});
  const chosen = (box) => withSources.find((a) => a.number === Number(box.value));
  const update = () => shown.replaceChildren(
    ...diffOf(chosen(from), chosen(to), texts, whole.checked));
  const last = withSources.at(-1);
  to.value = last.number;
  from.value = withSources.some((a) => a.number === last.parent) ? last.parent
                                                                 : withSources[0].number;
  for (const box of [from, to, whole]) box.addEventListener("change", update);
  update();
  return element("div", {}, element("div", {class: "choices"},
    element("label", {}, "From ", from), element("label", {}, "to ", to),
    element("label", {}, whole, " all lines")), shown);
}
