"use strict";
// Elements, numbers with units, and plots. Text gets into the page as text
// nodes only: nothing that a model wrote is ever parsed as HTML.

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined)
                         .map((child) => child instanceof Node ? child : String(child)));
  return made;
}

const data = (name) => JSON.parse(document.getElementById(name).textContent);

const none = "–";
const known = (value) => typeof value === "number" && Number.isFinite(value);
const significant = (value, digits = 4) => value === 0 ? "0"
  : Math.abs(value) >= 10 ** digits ? Math.round(value).toLocaleString("en")
  : String(Number(value.toPrecision(digits)));
const number = (value, digits) => known(value) ? significant(value, digits) : none;
const count = (value) => known(value) ? Math.round(value).toLocaleString("en") : none;
const dollars = (value) => known(value) ? (value === 0 ? "0" : value.toFixed(value < 0.1 ? 4 : 2))
                                        : none;
const seconds = (value) => known(value) ? value.toFixed(value < 10 ? 2 : 1) : none;
const ratio = (value) => known(value) ? value.toFixed(value < 10 ? 3 : 2) + "×" : none;
const interval = (row) => known(row.low) && known(row.high)
  ? ` [${row.low.toFixed(3)}, ${row.high.toFixed(3)}]` : "";
const tokens = (cost) => cost.inputTokens + cost.outputTokens;

function chip(word, kind = word) {
  return element("span", {class: `chip ${kind.replace(/[^a-z]/g, "")}`}, word);
}

// columns: [heading, unit or "", numeric?]; cells are nodes or strings.
function tableOf(columns, rows, attributes = {}) {
  const head = columns.map(([name, unit, numeric]) =>
    element("th", {class: numeric ? "num" : null, scope: "col"}, name,
            unit ? element("small", {}, unit) : null));
  const body = rows.map(({cells, ...rest}) => element("tr", rest, cells.map((cell, i) =>
    cell instanceof HTMLTableCellElement ? cell
      : element("td", {class: columns[i][2] ? "num" : null}, cell))));
  return element("div", {class: "scroll"}, element("table", attributes,
    element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)));
}

function facts(rows) {
  return element("dl", {class: "facts"}, rows.filter(([, value]) => value !== null &&
    value !== undefined && value !== "").map(([name, value]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

const note = (text) => element("p", {class: "note"}, text);

// --- plots ---------------------------------------------------------------

const plots = new Set();

const colour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

function themed(value) {
  if (typeof value === "string") return /^@[a-z]+$/.test(value) ? colour(value.slice(1)) : value;
  if (Array.isArray(value)) return value.map(themed);
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, themed(v)]));
  return value;
}

function draw(host) {
  const layout = themed(host.figure.layout);
  const axis = {gridcolor: colour("line"), zerolinecolor: colour("line"),
                linecolor: colour("line")};
  Object.assign(layout, {paper_bgcolor: colour("page"), plot_bgcolor: colour("page"),
                         font: {color: colour("ink"), size: 12}, autosize: true});
  layout.xaxis = {...axis, ...layout.xaxis};
  layout.yaxis = {...axis, ...layout.yaxis};
  return Plotly.react(host, themed(host.figure.data), layout,
                      {responsive: true, displaylogo: false, displayModeBar: false});
}

// A plot, or the reason why there is none. `chosen` gets an attempt's number.
function plot(name, figure, missing, chosen) {
  if (!figure) return note(missing);
  const host = element("div", {class: "plot", "data-plot": name, role: "group",
                               "aria-label": `plot: ${name}`});
  host.figure = figure;
  plots.add(host);
  // It takes the size of its place, so it must be in the page first.
  requestAnimationFrame(() => draw(host).then(() => {
    host.dataset.drawn = "true";
    if (chosen) host.on("plotly_click", (event) => {
      const number = event.points[0].customdata;
      if (known(number)) chosen(number);
    });
  }));
  return host;
}
