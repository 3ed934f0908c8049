// The charts of a bucket's last quarter of an hour, drawn by Chart.js.

import { el } from "./dom.js";
import { count, millis, rate, time, words } from "./format.js";

const SPAN = 15 * 60_000;
const FIVE_MINUTES = 5 * 60_000;
/** In milliseconds: a line bridges gaps up to this length, in which the bucket had no requests and so no wait. */
const GAP = 30_000;
/** With fewer points, a line is hardly visible. */
const FEW_POINTS = 6;

/** A colour of the style sheet, resolved for the canvas. */
function colour(name) {
  const probe = el("span", { class: "unseen" });
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** The charts: their series by name, how values are formatted, and whether series are stacked or bars. */
const SHOWN = [
  { title: "Server connections", read: count, stacked: true, series: [
    ["in use", (point) => point.active, { fill: true }], ["idle", (point) => point.idle, { fill: true }],
    ["limit", (point) => point.limit, { dashed: true, stack: "limit" }]] },
  { title: "Pinned, by reason", read: count, stacked: true, pins: true, series: [] },
  { title: "Queue", read: count, series: [["requests waiting", (point) => point.waiting, { fill: true }]] },
  { title: "Wait for a server connection", read: millis, series: [
    ["p99", (point) => point.waitP99, {}], ["p50", (point) => point.waitP50, { dashed: true }]] },
  { title: "Requests/s", read: rate, series: [["requests/s", (point) => point.requests, { fill: true }]] },
  { title: "Errors", read: count, stacked: true, bars: true, series: [
    ["refused", (point) => point.refused, {}], ["connection errors", (point) => point.errors, {}]] },
];

export class Charts {
  constructor() {
    this.node = el("div", { class: "charts" });
    this.charts = SHOWN.map((shown) => this.make(shown));
    this.points = [];
    this.onTheme = () => this.restyle();
    addEventListener("themechange", this.onTheme);
  }

  make(shown) {
    const canvas = el("canvas", { role: "img", "aria-label": shown.title });
    const latest = el("span", { class: "count" });
    this.node.append(el("figure", { class: "panel chart" },
      el("figcaption", {}, el("h2", {}, shown.title, latest)), el("div", { class: "canvas" }, canvas)));
    const chart = new window.Chart(canvas, {
      type: shown.bars ? "bar" : "line",
      data: { datasets: shown.series.map(([label, , style], i) => dataset(label, i, style, shown)) },
      options: options(shown),
    });
    return { shown, chart, canvas, latest };
  }

  show(points) {
    this.points = points;
    const last = points.at(-1);
    const now = last?.at ?? Date.now();
    for (const { shown, chart, canvas, latest } of this.charts) {
      const series = shown.pins ? pinSeries(points) : shown.series;
      if (shown.pins) alignDatasets(chart, series, shown);
      series.forEach(([, value], i) => {
        chart.data.datasets[i].data = points.map((point) => ({ x: point.at, y: value(point) }));
      });
      chart.options.scales.x.min = now - SPAN;
      chart.options.scales.x.max = now;
      chart.update("none");
      const text = last
        ? series.map(([label, value]) => `${label} ${shown.read(value(last))}`).join(", ") || "none"
        : "the first point comes after 5 seconds";
      latest.textContent = text;
      canvas.setAttribute("aria-label", `${shown.title}, last 15 minutes. Now: ${text}`);
    }
  }

  restyle() {
    for (const { shown, chart } of this.charts) {
      chart.options = options(shown);
      chart.data.datasets.forEach((one, i) => Object.assign(one, paint(i, one.comportaStyle, shown)));
    }
    this.show(this.points);
  }

  end() {
    removeEventListener("themechange", this.onTheme);
    this.charts.forEach(({ chart }) => chart.destroy());
  }
}

/** A small chart without axes: a bucket's connections in use, and its queue. */
export class Spark {
  constructor(into) {
    this.canvas = el("canvas");
    into.replaceChildren(this.canvas);
    this.chart = new window.Chart(this.canvas, {
      type: "line",
      data: { datasets: [line("in use", { fill: "origin" }), line("queued", { borderDash: [3, 2] }),
        line("limit", { borderWidth: 1, borderDash: [1, 3] })] },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, normalized: true, events: [],
        layout: { padding: { top: 2 } },
        scales: { x: { type: "linear", display: false }, y: { display: false, beginAtZero: true, suggestedMax: 1 } },
        plugins: { legend: { display: false }, tooltip: { enabled: false } },
      },
    });
    this.points = [];
    this.onTheme = () => this.show(this.points);
    addEventListener("themechange", this.onTheme);
  }

  show(points) {
    this.points = points;
    const now = points.at(-1)?.at ?? Date.now();
    const [used, queued, limit] = this.chart.data.datasets;
    used.data = points.map((point) => ({ x: point.at, y: point.active }));
    queued.data = points.map((point) => ({ x: point.at, y: point.waiting }));
    limit.data = [{ x: now - SPAN, y: points.at(-1)?.limit ?? 0 }, { x: now, y: points.at(-1)?.limit ?? 0 }];
    const [area, edge, warn, muted] = ["--series-1-area", "--series-1", "--queued", "--muted"].map(colour);
    Object.assign(used, { borderColor: edge, backgroundColor: area });
    queued.borderColor = warn;
    limit.borderColor = muted;
    this.chart.options.scales.x.min = now - SPAN;
    this.chart.options.scales.x.max = now;
    this.chart.update("none");
  }

  end() {
    removeEventListener("themechange", this.onTheme);
    this.chart.destroy();
  }
}

const line = (label, style) => ({ label, data: [], borderWidth: 1.75, pointRadius: 0, fill: false, ...style });

function pinSeries(points) {
  const reasons = [...new Set(points.flatMap((point) => Object.keys(point.pins)))].sort();
  return reasons.map((reason) => [words(reason), (point) => point.pins[reason] ?? 0, { fill: true }]);
}

/** The series can change: a reason is added when it first occurs. */
function alignDatasets(chart, series, shown) {
  const labels = series.map(([label]) => label).join();
  if (chart.data.datasets.map((one) => one.label).join() !== labels) {
    chart.data.datasets = series.map(([label, , style], i) => dataset(label, i, style, shown));
  }
}

const SERIES_COLOURS = 6;
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3]];

function paint(i, style, shown) {
  const line = colour(style.stack === "limit" ? "--muted" : `--series-${(i % SERIES_COLOURS) + 1}`);
  const area = colour(`--series-${(i % SERIES_COLOURS) + 1}-area`);
  return { borderColor: line, backgroundColor: shown.bars ? line : area };
}

function dataset(label, i, style, shown) {
  return {
    label,
    comportaStyle: style,
    data: [],
    borderWidth: shown.bars ? 0 : 1.75,
    borderDash: style.dashed ? [4, 3] : DASHES[Math.floor(i / SERIES_COLOURS) % DASHES.length],
    pointRadius: (at) => (at.dataset.data.length < FEW_POINTS ? 1.5 : 0),
    pointHitRadius: 8,
    spanGaps: GAP,
    fill: style.fill ? (shown.stacked && i > 0 ? "-1" : "origin") : false,
    stack: style.stack ?? "all",
    barThickness: 3,
    ...paint(i, style, shown),
  };
}

function options(shown) {
  const muted = colour("--muted");
  const line = colour("--line");
  const font = { family: getComputedStyle(document.body).fontFamily, size: 11 };
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    normalized: true,
    interaction: { mode: "index", intersect: false, axis: "x" },
    scales: {
      x: {
        type: "linear",
        offset: false,
        grid: { color: line, drawTicks: false, offset: false },
        border: { display: false },
        ticks: { color: muted, font, maxRotation: 0, align: "inner", callback: (at, i, ticks) => ago(ticks.at(-1).value - at) },
        afterBuildTicks: (axis) => {
          axis.ticks = [3, 2, 1, 0].map((steps) => ({ value: axis.max - steps * FIVE_MINUTES }));
        },
      },
      y: {
        beginAtZero: true,
        suggestedMax: 1,
        stacked: shown.stacked ?? false,
        grid: { color: line, drawTicks: false },
        border: { display: false },
        ticks: { color: muted, font, maxTicksLimit: 5, padding: 6, callback: (value) => yTick(value, shown) },
      },
    },
    plugins: {
      legend: {
        display: shown.series.length !== 1,
        position: "bottom", align: "start",
        labels: { color: muted, font, usePointStyle: true, pointStyle: shown.bars ? "rect" : "line", pointStyleWidth: 18, padding: 8 },
      },
      tooltip: {
        callbacks: {
          title: (items) => (items.length ? time(items[0].parsed.x) : ""),
          label: (item) => `${item.dataset.label}: ${shown.read(item.parsed.y)}`,
        },
      },
    },
  };
}

const ago = (duration) => (duration < 1000 ? "now" : `-${Math.round(duration / 60_000)} min`);

function yTick(value, shown) {
  if (shown.read === count && !Number.isInteger(value)) return "";
  return shown.read(value);
}
