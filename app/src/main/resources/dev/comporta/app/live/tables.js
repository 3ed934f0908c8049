// Tables of a bucket's view, kept in place while their figures change.

import { el, keyed, setText } from "./dom.js";

/**
 * A table that is filled by show().
 * @param label for screen readers
 * @param columns for each its name, the function for an item's text, and whether it is a number
 */
export function table(label, columns, { key, empty, mark }) {
  const body = el("tbody");
  const node = el("table", {}, el("thead", {}, el("tr", {}, ...columns.map(([name, , numeric]) =>
    el("th", { scope: "col", class: numeric ? "number" : undefined }, name)))), body);
  const note = el("p", { class: "empty" }, empty);
  return {
    node: el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label }, node, note),
    show(items) {
      node.hidden = items.length === 0;
      note.hidden = items.length > 0;
      keyed(body, items, key,
        (item) => el("tr", {}, ...columns.map(([, value, numeric]) => {
          const made = value(item);
          return el("td", { class: numeric ? "number" : undefined }, made instanceof Node ? made : "");
        })),
        (row, item) => {
          if (mark) row.dataset.state = mark(item);
          columns.forEach(([, value], i) => {
            const text = value(item);
            if (!(text instanceof Node)) {
              setText(row.children[i], text ?? "");
              row.children[i].title = text ?? "";
            }
          });
        });
    },
  };
}

export function panel(title, { wide } = {}, ...children) {
  const count = el("span", { class: "count" });
  const id = `panel-${title.toLowerCase().replaceAll(" ", "-")}`;
  return {
    node: el("section", { class: wide ? "panel wide" : "panel", "aria-labelledby": id },
      el("h2", { id }, title, count), ...children),
    setCount: (text) => setText(count, text),
  };
}
