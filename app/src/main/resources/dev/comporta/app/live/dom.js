// Values get into the page as text only. Nothing here, or elsewhere, parses HTML.

export const byId = (id) => document.getElementById(id);

/** An element. Properties that begin with "on" are listeners, "data" is a map, the others are attributes. */
export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) {
      node.addEventListener(name.slice(2), value);
    } else if (name === "data") {
      Object.assign(node.dataset, value);
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Sets a text only if it differs, so that selections stay, and nothing is laid out again. */
export function setText(node, text) {
  const wanted = String(text);
  if (node.textContent !== wanted) node.textContent = wanted;
}

/**
 * Makes the children of a list match the items, in their order, and reuses existing children.
 * @param key identifies an item
 * @param make makes a child; update is called for it too
 */
export function keyed(parent, items, key, make, update) {
  const known = parent.comportaChildren ?? (parent.comportaChildren = new Map());
  const wanted = new Set(items.map((item) => String(key(item))));
  for (const [name, node] of known) {
    if (!wanted.has(name)) {
      node.comportaGone?.();
      node.remove();
      known.delete(name);
    }
  }
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  let before = parent.firstElementChild;
  for (const item of items) {
    const name = String(key(item));
    let node = known.get(name);
    if (!node) {
      node = make(item);
      known.set(name, node);
    }
    update?.(node, item);
    if (node === before) {
      before = before.nextElementSibling;
    } else {
      parent.insertBefore(node, before);
    }
  }
  // Moving a node takes the focus from it.
  if (focused && document.activeElement !== focused && parent.contains(focused)) focused.focus({ preventScroll: true });
}
