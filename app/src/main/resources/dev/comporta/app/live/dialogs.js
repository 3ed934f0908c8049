// Dialogs: native ones, so that focus stays in them and Esc closes them.

import { el } from "./dom.js";

function show(title, build) {
  return new Promise((resolve) => {
    const dialog = el("dialog", { "aria-labelledby": "dialog-title" });
    dialog.append(el("h2", { id: "dialog-title" }, title));
    let result = false;
    const close = (value) => {
      result = value;
      dialog.close();
    };
    build(dialog, close);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(result);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

const button = (text, onclick, properties = {}) => el("button", { type: "button", onclick, ...properties }, text);

export function tell(title, ...paragraphs) {
  return show(title, (dialog, close) => dialog.append(
    ...paragraphs.map((text) => (text instanceof Node ? text : el("p", {}, text))),
    el("div", { class: "buttons" }, button("Close", () => close(true), { autofocus: true }))));
}

/** Asks for confirmation, runs the action, and shows the result. */
export function ask({ title, text, button: label, danger, run }) {
  return show(title, (dialog, close) => {
    const outcome = el("div", { role: "status" });
    const go = button(label, async () => {
      go.disabled = true;
      no.disabled = true;
      outcome.replaceChildren(el("p", {}, "Working…"));
      const answer = await run();
      outcome.replaceChildren(
        el("p", { class: answer.ok ? "done" : "failed" }, el("i", { class: "mark", "aria-hidden": "true" }), answer.message),
        answer.audit ? el("p", { class: "audit-title" }, "Audit line") : "",
        answer.audit ? el("pre", { class: "audit" }, answer.audit) : "");
      go.remove();
      no.disabled = false;
      no.textContent = "Close";
      no.focus();
    }, { class: danger ? "danger" : "primary" });
    const no = button("Cancel", () => close(false), { autofocus: true });
    dialog.append(el("p", {}, text), outcome, el("div", { class: "buttons" }, no, go));
  });
}

/** @param attempt tries a token, and returns what is wrong with it; empty if it is accepted */
export function askToken(attempt) {
  return show("Admin token", (dialog, close) => {
    const input = el("input", { type: "password", id: "token-input", autocomplete: "off", spellcheck: "false", autofocus: true });
    const wrong = el("p", { class: "failed", role: "alert", hidden: true });
    const go = el("button", { type: "submit", class: "primary" }, "Unlock");
    dialog.append(el("form", {
      onsubmit: async (event) => {
        event.preventDefault();
        go.disabled = true;
        const problem = await attempt(input.value.trim());
        go.disabled = false;
        if (!problem) return close(true);
        wrong.textContent = problem;
        wrong.hidden = false;
        input.select();
        return undefined;
      },
    },
    el("p", {}, "Of this instance, as in proxy.admin.token. It stays in this tab, until the tab is closed."),
    el("label", { for: "token-input" }, "Token"), input, wrong,
    el("div", { class: "buttons" }, button("Cancel", () => close(false)), go)));
  });
}

const KEYS = [["/", "filter the buckets"], ["← → ↑ ↓", "move in the grid"], ["Enter", "open a bucket"],
  ["Esc", "back, or clear the filter"], ["t", "light or dark"], ["?", "this help"]];

const MEANINGS = [["down", "its server can't be reached"], ["paused", "an operator holds its requests"],
  ["queued", "requests wait for a server connection"], ["busy", "four fifths of its connections are in use"],
  ["calm", "the more in use, the deeper the colour"]];

export function help() {
  return tell("Keys and colours",
    el("dl", { class: "keys" }, ...KEYS.flatMap(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)])),
    el("dl", { class: "keys" }, ...MEANINGS.flatMap(([name, what]) => [
      el("dt", {}, el("span", { class: "badge", data: { state: name } }, el("i", { class: "mark", "aria-hidden": "true" }), el("span", {}, name))),
      el("dd", {}, what)])),
    "The bar of a tile: in use, ready, held by other instances, free.");
}
