"use strict";
// Line differences by Myers' algorithm (An O(ND) Difference Algorithm, 1986).

const MOST_CHANGES = 1000; // beyond, the middle is shown as replaced

// [{kind: "same" | "removed" | "added", text}] from a's lines to b's.
function diffLines(a, b) {
  let start = 0, end = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) ++start;
  while (end < a.length - start && end < b.length - start &&
         a[a.length - 1 - end] === b[b.length - 1 - end]) ++end;
  const row = (kind) => (text) => ({kind, text});
  return [...a.slice(0, start).map(row("same")),
          ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
          ...a.slice(a.length - end).map(row("same"))];
}

function diffMiddle(a, b) {
  const trace = shortestPath(a, b);
  if (!trace)
    return [...a.map((text) => ({kind: "removed", text})),
            ...b.map((text) => ({kind: "added", text}))];
  const rows = [];
  let x = a.length, y = b.length;
  for (let d = trace.length - 1; d >= 0 && (x > 0 || y > 0); --d) {
    const reach = (k) => trace[d].get(k) ?? -1;
    const k = x - y;
    const down = k === -d || (k !== d && reach(k - 1) < reach(k + 1));
    const before = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : reach(before), fromY = d === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY && x > 0 && y > 0 && a[x - 1] === b[y - 1]) {
      rows.push({kind: "same", text: a[x - 1]});
      --x, --y;
    }
    if (d === 0) break;
    if (down) rows.push({kind: "added", text: b[--y]});
    else rows.push({kind: "removed", text: a[--x]});
  }
  return rows.reverse();
}

// What was reachable before each number of changes: diagonal -> x; null: too many.
function shortestPath(a, b) {
  const trace = [];
  let reach = new Map([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, MOST_CHANGES); ++d) {
    trace.push(new Map(reach));
    for (let k = -d; k <= d; k += 2) {
      const left = reach.get(k - 1) ?? -1, right = reach.get(k + 1) ?? -1;
      let x = k === -d || (k !== d && left < right) ? right : left + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) ++x;
      reach.set(k, x);
      if (x >= a.length && x - k >= b.length) return trace;
    }
  }
  return null;
}

// The same with long runs of equal lines shortened to `context` lines.
function shorten(rows, context = 4) {
  const near = new Set();
  rows.forEach((row, i) => {
    if (row.kind === "same") return;
    for (let j = i - context; j <= i + context; ++j) near.add(j);
  });
  const shown = [];
  for (let i = 0, skipped = 0; i <= rows.length; ++i) {
    if (i < rows.length && !near.has(i)) {
      ++skipped;
      continue;
    }
    if (skipped) shown.push({kind: "skipped", text: `⋯ ${skipped} equal lines`});
    skipped = 0;
    if (i < rows.length) shown.push(rows[i]);
  }
  return shown;
}
