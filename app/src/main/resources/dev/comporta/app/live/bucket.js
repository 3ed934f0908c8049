// One bucket: figures, charts, connections, pools, clients, pins, waits.

import { byId, el, keyed, setText } from "./dom.js";
import { count, millis, plural, rate, time, words } from "./format.js";
import { act } from "./actions.js";
import { Charts } from "./charts.js";
import { concern, figures, showEvents, showInstances } from "./fleet.js";
import { words as stateWords } from "./grid.js";
import { rows, state } from "./state.js";
import { panel, table } from "./tables.js";

const STATE_LETTERS = { idle: "i", active: "a", pinned: "p", opening: "o", resetting: "r", checking: "c", closing: "x" };

let view = null;

export function open(name) {
  close();
  view = new BucketView(name);
  byId("bucket").replaceChildren(view.node);
  byId("bucket").hidden = false;
  show();
  view.title.focus({ preventScroll: true });
}

export function close() {
  view?.charts.end();
  view = null;
  byId("bucket").hidden = true;
  byId("bucket").replaceChildren();
}

export const current = () => view?.name ?? null;

export function show(what) {
  view?.show(what);
}

class BucketView {
  constructor(name) {
    this.name = name;
    this.title = el("h1", { tabindex: "-1" }, name);
    this.badge = el("span", { class: "badge" }, el("i", { class: "mark", "aria-hidden": "true" }), el("span", {}));
    this.why = el("p", { class: "why" });
    this.pause = el("button", { type: "button", onclick: () => act(this.paused() ? "resume" : "pause", name) }, "Pause…");
    this.reconnect = el("button", { type: "button", onclick: () => act("reconnect", name) }, "Reconnect…");
    this.figures = el("dl", { class: "figures" });
    this.charts = new Charts();
    this.strip = el("ul", { class: "strip" });
    this.makeTables();
    this.makePanels();
    this.node = el("article", {},
      el("div", { class: "bucket-head" },
        el("a", { class: "back", href: "#/" }, "All buckets"), this.title, this.badge,
        el("div", { class: "tools" }, this.pause, this.reconnect), this.why),
      this.figures, this.charts.node,
      el("div", { class: "panels" }, ...this.panels.map((one) => one.node)));
  }

  makeTables() {
    this.pools = table("Pools", [
      ["Login", (pool) => pool.local_user], ["Profile", (pool) => pool.profile],
      ["In use", (pool) => count(pool.active_connections), true], ["Idle", (pool) => count(pool.idle_connections), true],
      ["Queued", (pool) => count(pool.waiting_requests), true], ["Served", (pool) => count(pool.total_acquires), true],
      ["Timeouts", (pool) => count(pool.acquire_timeouts), true],
    ], { key: (pool) => `${pool.local_user} ${pool.profile}`, empty: "No login has a pool here yet." });
    this.pins = table("Pins", [
      ["Age", (pin) => millis(pin.age_ms), true], ["Reason", (pin) => words(pin.reason) + (pin.overdue ? " (overdue)" : "")],
      ["Login", (pin) => pin.login], ["Application", (pin) => pin.application], ["Client", (pin) => count(pin.client_id), true],
      ["", (pin) => kill(pin.client_id, pin.login)],
    ], { key: (pin) => pin.client_id, empty: "No client keeps a server connection.",
      mark: (pin) => (pin.overdue ? "down" : "") });
    this.waits = table("Waits", [
      ["Waiting for", (waiter) => millis(waiter.waited_ms), true], ["Place", (waiter) => count(waiter.place), true],
      ["Login", (waiter) => waiter.login], ["Client", (waiter) => (waiter.client_id === null ? "login" : count(waiter.client_id)), true],
      ["Refused at", (waiter) => time(Date.parse(waiter.timeout_at))],
    ], { key: (waiter) => waiter.place, empty: "Nobody waits." });
    this.clients = table("Clients", [
      ["Client", (client) => count(client.client_id), true], ["State", (client) => words(client.state)],
      ["Login", (client) => client.login], ["Application", (client) => client.application],
      ["Host", (client) => client.host_name], ["Address", (client) => client.address],
      ["Pinned by", (client) => (client.pin_reason ? `${words(client.pin_reason)}, ${millis(client.pin_age_ms)}` : "")],
      ["Requests", (client) => count(client.requests), true], ["", (client) => kill(client.client_id, client.login)],
    ], { key: (client) => client.client_id, empty: "No client is logged in." });
  }

  makePanels() {
    this.slots = el("div");
    this.events = el("ol", { class: "plain log" });
    this.stripPanel = panel("Server connections now", {}, this.strip,
      el("p", { class: "legend" }, "a active, p pinned, i idle, o opening, r resetting, c checking, x closing"));
    this.pinsPanel = panel("Longest pins and transactions", {}, this.pins.node);
    this.waitsPanel = panel("Slowest waits", {}, this.waits.node);
    this.poolsPanel = panel("Pools", {}, this.pools.node);
    this.slotsPanel = panel("Slots by instance", {}, this.slots);
    this.eventsPanel = panel("Events of this bucket", {}, this.events);
    this.clientsPanel = panel("Clients", { wide: true }, this.clients.node);
    this.panels = [this.stripPanel, this.slotsPanel, this.pinsPanel, this.waitsPanel, this.poolsPanel, this.eventsPanel,
      this.clientsPanel];
  }

  paused() {
    return state.buckets.get(this.name)?.paused ?? false;
  }

  show(what) {
    if (what === undefined || what === "buckets") this.showFigures();
    if (what === undefined || what === "history") this.showHistory();
    if (what === undefined || what === "detail") this.showDetail();
    if (what === undefined || what === "instances") showInstances(this.slots, this.name);
    if (what === undefined || what === "events") showEvents(this.events, this.name);
  }

  showFigures() {
    const bucket = state.buckets.get(this.name);
    if (!bucket) return;
    this.badge.dataset.state = bucket.state;
    const isUp = bucket.state === "calm" || bucket.state === "busy";
    setText(this.badge.lastChild, isUp ? `${bucket.state}, ${stateWords(bucket)}` : stateWords(bucket));
    setText(this.why, concern(bucket) ?? "");
    setText(this.pause, bucket.paused ? "Resume…" : "Pause…");
    figures(this.figures, [
      ["In use", count(bucket.active), `of at most ${count(bucket.max_connections)}`],
      ["Idle", count(bucket.idle), bucket.opening ? `${bucket.opening} opening` : ""],
      ["Pinned", count(bucket.pinned), bucket.longest_pin_ms === null ? "" : `oldest ${millis(bucket.longest_pin_ms)}`],
      ["Queued", count(bucket.waiting), bucket.timeouts ? plural(bucket.timeouts, "timeout") : "", bucket.waiting ? "queued" : ""],
      ["Wait p50 / p99", `${millis(bucket.wait_p50_ms)} / ${millis(bucket.wait_p99_ms)}`, ""],
      ["Requests/s", rate(bucket.requests_per_second), `p99 ${millis(bucket.query_p99_ms)}`],
      ["Clients", count(bucket.clients), ""],
      ["Errors", count(bucket.failures.lately), "last minute", bucket.failures.lately ? "down" : ""],
    ]);
  }

  showHistory() {
    this.charts.show(state.history.get(this.name) ?? []);
  }

  showDetail() {
    const detail = state.detail;
    if (detail?.bucket !== this.name) return;
    const connections = rows(detail.connections);
    keyed(this.strip, connections, (one) => one.connection_id,
      () => el("li", {}),
      (node, one) => {
        node.dataset.connection = one.state;
        setText(node, STATE_LETTERS[one.state] ?? "?");
        node.title = `${one.connection_id}: ${one.state}, ${one.local_user}`
          + `${one.client_id === null ? "" : `, client ${one.client_id}`}, session ${one.spid ?? "–"}, used ${one.use_count} times`;
      });
    this.stripPanel.setCount(count(connections.length));
    this.pools.show(rows(detail.pools));
    const pins = rows(detail.pins);
    this.pins.show(pins);
    this.pinsPanel.setCount(shown(pins.length, detail.pinCount));
    const waiters = rows(detail.waiters);
    this.waits.show(waiters);
    this.waitsPanel.setCount(shown(waiters.length, detail.waiterCount));
    const clients = rows(detail.clients);
    this.clients.show(clients);
    this.clientsPanel.setCount(shown(clients.length, detail.clientCount));
  }
}

const shown = (here, all) => (here < all ? `${count(here)} of ${count(all)}` : count(all));

const kill = (client, login) => el("button", {
  type: "button", class: "small", "aria-label": `Kill client ${client}`, onclick: () => act("kill", client, login),
}, "Kill…");
