// All buckets at a glance: sums, what needs attention, instances, events.

import { byId, el, keyed, setText } from "./dom.js";
import { count, millis, plural, rate, time } from "./format.js";
import { href } from "./grid.js";
import { sorted, state } from "./state.js";

const MOST_ATTENTION = 8;
const MOST_EVENTS = 60;
/** From this age on, a transaction needs attention: it holds a connection that others could use. */
const LONG_TRANSACTION = 60_000;

export function showTotals() {
  const all = [...state.buckets.values()];
  const sum = (field) => all.reduce((total, bucket) => total + (bucket[field] ?? 0), 0);
  const down = all.filter((bucket) => bucket.state === "down").length;
  const paused = all.filter((bucket) => bucket.state === "paused").length;
  const waits = all.map((bucket) => bucket.wait_p99_ms).filter((wait) => wait !== null);
  const lately = all.reduce((total, bucket) => total + bucket.failures.lately, 0);
  figures(byId("totals"), [
    ["Buckets", count(all.length), [down && `${down} down`, paused && `${paused} paused`].filter(Boolean).join(", ")
      || (all.length ? "all up" : ""), down ? "down" : paused ? "paused" : ""],
    ["Clients", count(sum("clients")), ""],
    ["Server connections in use", count(sum("active")), `of at most ${count(sum("max_connections"))}`],
    ["Queued requests", count(sum("waiting")), plural(all.filter((bucket) => bucket.waiting > 0).length, "bucket"),
      sum("waiting") > 0 ? "queued" : ""],
    ["Longest wait p99", waits.length ? millis(Math.max(...waits)) : "–", "last minute"],
    ["Requests/s", rate(sum("requests_per_second")), ""],
    ["Errors", count(lately), "last minute", lately > 0 ? "down" : ""],
  ]);
}

/** A row of large numbers. @param items name, number, note, state */
export function figures(list, items) {
  keyed(list, items, (item) => item[0],
    ([name]) => el("div", { class: "figure" }, el("dt", {}, name), el("dd", {}, el("b", {}), el("small", {}))),
    (node, [, number, note, mark]) => {
      setText(node.querySelector("b"), number);
      setText(node.querySelector("small"), note ?? "");
      node.dataset.state = mark ?? "";
    });
}

/** Why the bucket needs attention; null if it does not. */
export function concern(bucket) {
  if (bucket.state === "down") return `down: ${bucket.unhealthy_reason ?? "its server does not answer"}`;
  if (bucket.state === "paused") {
    return bucket.waiting > 0 ? `paused, ${plural(bucket.waiting, "request")} waiting` : "paused by an operator";
  }
  if (bucket.state === "queued") {
    return `${plural(bucket.waiting, "request")} waiting, wait p99 ${millis(bucket.wait_p99_ms)}`;
  }
  if (bucket.longest_transaction_ms > LONG_TRANSACTION) {
    return `a transaction has been open for ${millis(bucket.longest_transaction_ms)}`;
  }
  if (bucket.failures.lately > 0) return `${plural(bucket.failures.lately, "error")} in the last minute`;
  if (bucket.slots_fallback) return "the lease store can't be reached: the limit is this instance's share";
  return null;
}

export function showAttention() {
  const items = sorted().map((bucket) => ({ name: bucket.name, state: bucket.state, why: concern(bucket) }))
    .filter((item) => item.why !== null);
  for (const instance of state.instance?.instances ?? []) {
    if (instance.degraded) {
      items.unshift({ name: instance.name, state: "down", isInstance: true,
        why: instance.self ? "can't reach the lease store" : "its heartbeat is overdue" });
    }
  }
  const shown = items.slice(0, MOST_ATTENTION);
  if (items.length > shown.length) shown.push({ name: "", why: `and ${count(items.length - shown.length)} more` });
  if (items.length === 0) shown.push({ name: "", why: state.buckets.size ? "Nothing. Every bucket is up and nobody waits." : "" });
  const list = byId("attention");
  list.classList.toggle("none", items.length === 0);
  keyed(list, shown, (item) => item.name,
    (item) => el("li", {},
      item.name === "" ? null : el("i", { class: "mark", "aria-hidden": "true" }),
      item.name === "" ? null
        : el(item.isInstance ? "b" : "a", { class: "name", ...(item.isInstance ? {} : { href: href(item.name) }) }, item.name),
      el("span", { class: "why" })),
    (node, item) => {
      node.dataset.state = item.state ?? "";
      setText(node.querySelector(".why"), item.why);
      node.querySelector(".why").title = item.why;
    });
  announce(items);
}

/** For screen readers: announces changed states, not the figures, which change all the time. */
function announce(items) {
  const troubles = ["down", "paused", "queued"].map((name) => [name, items.filter((item) => item.state === name).length])
    .filter(([, number]) => number > 0).map(([name, number]) => `${number} ${name}`);
  setText(byId("announce"), troubles.length ? `Needs attention: ${troubles.join(", ")}` : "Nothing needs attention");
  document.title = troubles.length ? `${troubles[0]} – Comporta` : "Comporta";
}

export function showInstances(into, bucket) {
  const sight = state.instance;
  if (!sight) return;
  const list = into.querySelector("table") ?? into.appendChild(el("table", { class: "slots" },
    el("thead", {}, el("tr", {}, ...["Instance", "Slots held", "Waiting for", "Heartbeat"].map((name) =>
      el("th", { scope: "col" }, name)))), el("tbody", {})));
  const items = sight.instances.map((instance) => {
    const slots = Object.entries(instance.slots).filter(([name]) => bucket === undefined || name === bucket);
    return {
      ...instance,
      held: slots.reduce((sum, [, [held]]) => sum + held, 0),
      waits: slots.reduce((sum, [, [, waiting]]) => sum + waiting, 0),
    };
  });
  const most = Math.max(1, ...items.map((item) => item.held));
  keyed(list.tBodies[0], items, (item) => item.name,
    (item) => el("tr", {}, el("th", { scope: "row" }, item.name, item.self ? el("small", {}, " this one") : null),
      el("td", { class: "bar-cell" }, el("i", { "aria-hidden": "true" }), el("span", {})), el("td", {}), el("td", {})),
    (row, item) => {
      row.children[1].firstChild.style.width = `${(100 * item.held) / most}%`;
      setText(row.children[1].lastChild, count(item.held));
      setText(row.children[2], count(item.waits));
      const silence = item.heard === undefined ? "" : `${millis(Math.max(0, sight.at - item.heard))} ago`;
      setText(row.children[3], item.degraded ? `overdue, ${silence}` : silence || "–");
      row.dataset.state = item.degraded ? "down" : "";
    });
}

/** The bucket state whose colour and shape each kind of event has. */
const KINDS = { "bucket down": "down", "bucket up": "calm", "fallback": "queued", "lease expired": "queued",
  "login refused": "busy", "pin overdue": "queued", "pin ended": "queued", "command": "paused", "drain": "paused" };

export function showEvents(into, bucket) {
  const items = state.events.filter((event) => bucket === undefined || event.bucket === bucket
    || event.kind === "command" && event.message.includes(bucket)).slice(0, MOST_EVENTS);
  if (items.length === 0) items.push({ id: 0 });
  keyed(into, items, (event) => `${event.id}`,
    (event) => event.id === 0 ? el("li", { class: "empty" }, "None so far.")
      : el("li", { data: { state: KINDS[event.kind] ?? "" } },
        el("time", { datetime: new Date(event.at).toISOString() }, time(event.at)),
        el("b", {}, el("i", { class: "mark", "aria-hidden": "true" }), event.times > 1 ? `${event.kind} ×${event.times}` : event.kind),
        el("span", {}, [event.bucket, event.login && `${event.login}${event.client ? ` from ${event.client}` : ""}`]
          .filter(Boolean).join(" · "), event.bucket || event.login ? ": " : "", event.message)));
}
