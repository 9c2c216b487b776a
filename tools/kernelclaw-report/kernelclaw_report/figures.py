"""The plots of a region and of the run, as plotly's JSON.

A colour is written "@name": the page fills in the one of its theme. Each plot
of attempts has one point an attempt, in traces that carry `meta` (for tests
and for clicks: customdata is the attempt's number).
"""
from .values import positive


def figure(traces, x_title, y_title, **layout):
    layout = {"xaxis": {"title": {"text": x_title}}, "yaxis": {"title": {"text": y_title}},
              "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
              "margin": {"l": 64, "r": 16, "t": 36, "b": 48}, "height": 340,
              "hovermode": "closest"} | layout
    return {"data": traces, "layout": layout}


def points(name, attempts, x, y, colour, symbol, **more):
    return {"type": "scatter", "mode": "markers", "name": name, "meta": "attempts",
            "x": x, "y": y, "cliponaxis": False, "customdata": [a["number"] for a in attempts],
            "text": [label(a) for a in attempts], "hovertemplate": "%{text}<extra></extra>",
            "marker": {"color": colour, "symbol": symbol, "size": 10}} | more


def label(attempt):
    lines = [f"attempt {attempt['number']}: {attempt['outcome'] or 'no verdict'}"]
    lines += [escape(attempt[name][:80]) for name in ("method", "title") if attempt[name]]
    if attempt["speedup"]:
        lines.append(f"{attempt['speedup']:.3f}× of stock")
    if attempt["microseconds"]:
        lines.append(f"{attempt['microseconds']:.3f} µs")
    return "<br>".join(lines)


def escape(content):
    """Plotly reads a few tags in texts."""
    return content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def speedups(attempts):
    """Speed-up over attempts; what failed lies on the axis."""
    if not attempts:
        return None
    right = [a for a in attempts if a["outcome"] == "ok" and a["speedup"]]
    failed = [a for a in attempts if a not in right and a["outcome"]]
    open_ = [a for a in attempts if a not in right and a not in failed]
    best = attempts[0]["number"] - 1, *[a["number"] for a in attempts]
    traces = [{"type": "scatter", "mode": "lines", "name": "best so far", "meta": "best",
               "x": list(best), "y": [1.0, *[a["bestSoFar"] for a in attempts]],
               "line": {"shape": "hv", "color": "@best", "width": 2}, "hoverinfo": "skip"}]
    groups = ((right, "right", "@ok", "circle"), (failed, "failed", "@failed", "x"),
              (open_, "no verdict", "@muted", "circle-open"))
    for group, name, colour, symbol in groups:
        if not group:
            continue
        more = {}
        if any(a["low"] and a["high"] for a in group):
            more["error_y"] = {
                "type": "data", "symmetric": False, "color": colour,
                "array": [(a["high"] or a["speedup"]) - a["speedup"] for a in group],
                "arrayminus": [a["speedup"] - (a["low"] or a["speedup"]) for a in group]}
        heights = [a["speedup"] if group is right else 0 for a in group]
        if any(a["promoted"] for a in group):
            name += " (★ promoted)"
            symbol = ["star" if a["promoted"] else symbol for a in group]
        traces.append(points(name, group, [a["number"] for a in group], heights, colour,
                             symbol, **more))
    stock = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 1, "y1": 1,
             "line": {"color": "@muted", "dash": "dot", "width": 1}}
    return figure(traces, "attempt", "speed-up over stock (×)", shapes=[stock],
                  xaxis={"title": {"text": "attempt"}, "dtick": max(1, len(attempts) // 12)},
                  yaxis={"title": {"text": "speed-up over stock (×)"}, "rangemode": "tozero"})


def roofline(region):
    """Work a second over work a byte, below what memory and arithmetic allow."""
    roof = region["roofline"]
    flops, least = positive(roof, "flops"), positive(roof, "minimalBytes")
    bandwidth = positive(roof, "peakBytesPerSecond")
    peak = positive(roof, "peakFlopsPerSecond")
    if not (flops and least and bandwidth and peak):
        return None
    timed = [a for a in region["attempts"] if a["outcome"] == "ok" and a["microseconds"]]
    moved = [positive(a["roofline"], "movedBytes") or least for a in timed]
    intensities = [flops / count for count in moved] + [flops / least, peak / bandwidth]
    low, high = min(intensities) / 4, max(intensities) * 4
    ridge = peak / bandwidth
    kind = roof.get("peakKind", "")
    traces = [{"type": "scatter", "mode": "lines", "meta": "roof", "hoverinfo": "skip",
               "name": f"bound: {bandwidth / 1e12:.2f} TB/s, {peak / 1e12:.1f} TFLOP/s"
                       + (f" ({escape(str(kind))})" if kind else ""),
               "x": [low, ridge, high], "y": [low * bandwidth, peak, peak],
               "line": {"color": "@muted", "width": 2}}]
    if region["stockMicroseconds"]:
        traces.append({
            "type": "scatter", "mode": "markers", "name": "stock", "meta": "stock",
            "x": [flops / least], "y": [flops / region["stockMicroseconds"] * 1e6],
            "hovertemplate": f"stock: {region['stockMicroseconds']:.3f} µs, at the bytes that "
                             "must move<extra></extra>",
            "marker": {"color": "@stock", "symbol": "diamond-open", "size": 15,
                       "line": {"width": 2.5}}})
    for group, name, colour, size in (
            ([a for a in timed if a["number"] != region["best"]], "attempts", "@ok", 9),
            ([a for a in timed if a["number"] == region["best"]], "best", "@best", 13)):
        if group:
            x = [flops / (positive(a["roofline"], "movedBytes") or least) for a in group]
            y = [flops / a["microseconds"] * 1e6 for a in group]
            trace = points(name, group, x, y, colour, "circle")
            trace["marker"]["size"] = size
            traces.append(trace)
    axis = {"type": "log", "exponentformat": "power", "dtick": 1}
    return figure(traces, "", "", height=380,
                  xaxis=axis | {"title": {"text": "operations per byte of DRAM traffic"}},
                  yaxis=axis | {"title": {"text": "operations per second"}})


def counter_changes(attempt):
    """Measured ratios of one attempt's counters to its base's."""
    measured = {escape(name): ratio for name, ratio in attempt["measured"].items() if ratio > 0}
    predicted = {escape(name): change for name, change in attempt["predicted"].items()}
    if not measured:
        return None
    names = sorted(measured, key=lambda name: (name != "time", name))
    fits = [agreement(predicted.get(name), measured[name]) for name in names]
    colours = {True: "@ok", False: "@failed", None: "@stock"}
    words = {True: "as predicted", False: "not as predicted", None: "not predicted"}
    symbols = {True: "circle", False: "x", None: "circle-open"}
    traces = []
    for kind in (True, False, None):
        group = [name for name, fit in zip(names, fits) if fit is kind]
        if group:
            traces.append({
                "type": "scatter", "mode": "markers", "name": words[kind], "meta": "counters",
                "y": group, "x": [measured[name] for name in group],
                "marker": {"color": colours[kind], "symbol": symbols[kind], "size": 11},
                "hovertemplate": "%{y}: %{x:.3g}× of the parent's<extra></extra>"})
    same = {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": 1, "x1": 1,
            "line": {"color": "@muted", "dash": "dot", "width": 1}}
    low, high = min(*measured.values(), 0.9), max(*measured.values(), 1.1)
    pad = (high - low) / 12
    return figure(traces, "", "", height=110 + 24 * len(names), shapes=[same],
                  xaxis={"title": {"text": "this attempt ÷ parent"},
                         "range": [low - pad, high + pad]},
                  yaxis={"automargin": True, "type": "category", "categoryorder": "array",
                         "categoryarray": names[::-1]})


def agreement(predicted, ratio):
    """Whether a change is as predicted, taking 2 % as none; None: not predicted."""
    if predicted is None:
        return None
    change = 0 if abs(ratio - 1) <= 0.02 else 1 if ratio > 1 else -1
    return change == predicted


def roles(costs):
    """Tokens by role: what was sent anew, came from a cache, and was answered."""
    costs = {escape(role): cost for role, cost in costs.items()
             if cost["inputTokens"] or cost["outputTokens"] or cost["lostTokens"]}
    if not costs:
        return None
    kinds = (("sent", "@ok", lambda c: c["inputTokens"] - c["cachedInputTokens"]),
             ("sent, from a cache", "@cached", lambda c: c["cachedInputTokens"]),
             ("answered", "@stock", lambda c: c["outputTokens"]),
             ("cut off (upper bound)", "@failed", lambda c: c["lostTokens"]))
    names = sorted(costs)
    traces = [{"type": "bar", "orientation": "h", "name": name, "meta": "roles",
               "y": names, "x": [count(costs[role]) for role in names],
               "marker": {"color": colour}} for name, colour, count in kinds
              if any(count(costs[role]) for role in names)]
    return figure(traces, "", "", barmode="stack", height=120 + 34 * len(names),
                  xaxis={"title": {"text": "tokens"}, "rangemode": "tozero", "nticks": 6,
                         "tickangle": 0},
                  yaxis={"automargin": True, "type": "category"})
