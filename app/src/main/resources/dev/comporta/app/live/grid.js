// The grid of buckets: a tile for each, coloured by pressure, with the state in words and as a shape too.

import { byId, el, keyed, setText } from "./dom.js";
import { count, millis, plural, rate } from "./format.js";
import { Spark } from "./charts.js";
import { STATES, sorted, state } from "./state.js";

/** Up to this number of buckets, tiles are large and show more. */
const FEW = 12;

const grid = byId("grid");
const filter = byId("filter");
let only = null; // a state; null for all

export const href = (bucket) => `#/bucket/${encodeURIComponent(bucket)}`;

export function begin() {
  filter.addEventListener("input", show);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      tiles()[0]?.focus();
    }
  });
  grid.addEventListener("keydown", move);
  grid.addEventListener("focusin", (event) => makeReachable(event.target));
  byId("states").append(...["all", ...STATES].map((name) => el("button", {
    type: "button", class: "chip", data: { state: name }, "aria-pressed": name === "all",
    onclick: () => choose(name),
  }, el("i", { class: "mark", "aria-hidden": "true" }), el("span", {}, name), el("b", {}, "0"))));
}

function choose(name) {
  only = name === "all" || name === only ? null : name;
  show();
}

export function focusFilter() {
  filter.focus();
  filter.select();
}

/** @return whether there was a filter */
export function clearFilter() {
  const had = filter.value !== "" || only !== null;
  filter.value = "";
  only = null;
  show();
  return had;
}

function matches(bucket) {
  const text = filter.value.trim().toLowerCase();
  return (only === null || bucket.state === only)
    && text.split(/\s+/).every((word) => bucket.name.toLowerCase().includes(word) || bucket.state.startsWith(word));
}

export function show() {
  const all = sorted();
  const shown = all.filter(matches);
  grid.classList.toggle("few", all.length <= FEW);
  keyed(grid, shown, (bucket) => bucket.name, make, update);
  draw();
  byId("nothing").hidden = shown.length > 0 || all.length === 0;
  for (const chip of byId("states").children) {
    const name = chip.dataset.state;
    const number = name === "all" ? all.length : all.filter((bucket) => bucket.state === name).length;
    setText(chip.querySelector("b"), count(number));
    chip.setAttribute("aria-pressed", String(only === null ? name === "all" : name === only));
    chip.classList.toggle("none", number === 0);
  }
  if (!grid.querySelector('a[tabindex="0"]')) tiles()[0]?.setAttribute("tabindex", "0");
}

function make(bucket) {
  return el("li", {}, el("a", { class: "tile", href: href(bucket.name), tabindex: "-1" },
    el("span", { class: "tile-name" }, el("i", { class: "mark", "aria-hidden": "true" }), el("span", {}, bucket.name)),
    el("span", { class: "tile-main" }, el("b", {}), el("span", { class: "tile-of" }), el("span", { class: "tile-state" })),
    el("span", { class: "tile-more" }, ...["requests/s", "wait p99", "clients", "pinned"].map((name) =>
      el("span", {}, el("span", { class: "tile-value" }), el("small", {}, name)))),
    el("span", { class: "tile-chart", "aria-hidden": "true" }),
    el("span", { class: "gauge", "aria-hidden": "true" },
      el("i", { class: "used" }), el("i", { class: "ready" }), el("i", { class: "others" }))));
}

function update(item, bucket) {
  item.comportaBucket = bucket.name;
  const tile = item.firstChild;
  tile.dataset.state = bucket.state;
  tile.classList.toggle("resting", bucket.state === "calm" && bucket.active === 0);
  tile.style.setProperty("--load", bucket.load.toFixed(2));
  setText(tile.querySelector("b"), count(bucket.active));
  setText(tile.querySelector(".tile-of"), `/${count(bucket.max_connections)}`);
  setText(tile.querySelector(".tile-state"), words(bucket));
  const values = tile.querySelectorAll(".tile-value");
  setText(values[0], rate(bucket.requests_per_second));
  setText(values[1], millis(bucket.wait_p99_ms));
  setText(values[2], count(bucket.clients));
  setText(values[3], count(bucket.pinned));
  const share = (number) => `${Math.min(100, (100 * number) / Math.max(1, bucket.max_connections))}%`;
  const [used, ready, others] = tile.querySelector(".gauge").children;
  used.style.width = share(bucket.active);
  ready.style.width = share(bucket.idle + bucket.opening);
  others.style.width = share(bucket.elsewhere);
  const label = `${bucket.name}: ${words(bucket)}, ${bucket.active} of ${bucket.max_connections} server connections in use, `
    + `${plural(bucket.clients, "client")}`;
  if (tile.getAttribute("aria-label") !== label) tile.setAttribute("aria-label", label);
  if (tile.title !== label) tile.title = label;
}

/** Large tiles have a chart each. */
export function draw() {
  const few = grid.classList.contains("few");
  for (const item of grid.children) {
    if (few && !item.comportaSpark) {
      item.comportaSpark = new Spark(item.querySelector(".tile-chart"));
      item.comportaGone = () => item.comportaSpark?.end();
    } else if (!few && item.comportaSpark) {
      item.comportaSpark.end();
      item.comportaSpark = null;
    }
    item.comportaSpark?.show(state.history.get(item.comportaBucket) ?? []);
  }
}

/** The state with its figure, for readers who can't distinguish the colours. */
export function words(bucket) {
  switch (bucket.state) {
    case "down": return "down";
    case "paused": return bucket.waiting > 0 ? `paused, ${count(bucket.waiting)} queued` : "paused";
    case "queued": return `${count(bucket.waiting)} queued`;
    default: return bucket.active === 0 ? "idle" : `${Math.round(100 * bucket.load)}%`;
  }
}

const tiles = () => [...grid.querySelectorAll("a.tile")];

/** Tab reaches one tile, and the arrows reach the others from there. */
function makeReachable(tile) {
  if (!tile.matches("a.tile")) return;
  for (const other of tiles()) other.setAttribute("tabindex", other === tile ? "0" : "-1");
}

function move(event) {
  const all = tiles();
  const at = all.indexOf(document.activeElement);
  if (at < 0) return;
  const columns = all.findIndex((tile) => tile.offsetTop > all[0].offsetTop);
  const steps = {
    ArrowRight: 1, ArrowLeft: -1,
    ArrowDown: columns < 0 ? 0 : columns, ArrowUp: columns < 0 ? 0 : -columns,
    Home: -at, End: all.length - 1 - at,
  };
  if (!(event.key in steps)) return;
  event.preventDefault();
  const to = at + steps[event.key];
  if (to >= 0 && to < all.length) all[to].focus();
}

/** Puts the focus back on the tile of a bucket that was open. */
export function focusTile(name) {
  tiles().find((tile) => tile.getAttribute("href") === href(name))?.focus();
}
