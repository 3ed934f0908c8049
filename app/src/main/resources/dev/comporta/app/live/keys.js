// Keys that work anywhere on the page, but not while somebody types.

import { help } from "./dialogs.js";
import { clearFilter, focusFilter } from "./grid.js";

const isTyping = (node) => node.matches?.("input, textarea, select") ?? false;

export function begin() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const inBucket = location.hash.startsWith("#/bucket/");
    if (event.key === "Escape") {
      if (inBucket) location.hash = "#/";
      else if (clearFilter()) document.activeElement?.blur();
    } else if (isTyping(event.target)) {
      return;
    } else if (event.key === "/") {
      event.preventDefault();
      if (inBucket) location.hash = "#/";
      focusFilter();
    } else if (event.key === "?") {
      help();
    } else if (event.key === "t") {
      window.comportaTheme.toggle();
    }
  });
}
