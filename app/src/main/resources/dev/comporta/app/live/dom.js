// The only way by which values get into the page: as text. Nothing here, or elsewhere, parses HTML.

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

/** Leaves a text alone that is as it should be: selections stay, and nothing is laid out again. */
export function setText(node, text) {
  const wanted = String(text);
  if (node.textContent !== wanted) node.textContent = wanted;
}

/**
 * Makes a list's children those of the items, in their order, and keeps those that are there.
 * @param key tells items apart
 * @param make makes a child; update is then called with it, too
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
  // A node that was moved has lost the focus.
  if (focused && document.activeElement !== focused && parent.contains(focused)) focused.focus({ preventScroll: true });
}
