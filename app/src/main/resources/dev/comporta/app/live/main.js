// Assembles the page: chooses the view by the address' fragment, and shows the stream's data.

import * as actions from "./actions.js";
import * as bucket from "./bucket.js";
import { help } from "./dialogs.js";
import { byId, setText } from "./dom.js";
import * as fleet from "./fleet.js";
import * as grid from "./grid.js";
import * as keys from "./keys.js";
import { onChange, state, turn } from "./state.js";
import * as stream from "./stream.js";

const LINKS = { live: "live", connecting: "connecting", lost: "connection lost, trying again", locked: "locked", paused: "paused" };

function route() {
  const match = /^#\/bucket\/([^/]+)$/.exec(location.hash);
  let name = null;
  try {
    name = match && decodeURIComponent(match[1]);
  } catch {
    // An invalid address: the fleet is shown.
  }
  const left = bucket.current();
  turn();
  byId("fleet").hidden = name !== null;
  if (name === null) {
    bucket.close();
    stream.follow(null);
    showFleet();
    if (left !== null) grid.focusTile(left);
  } else {
    bucket.open(name);
    stream.follow(name);
    scrollTo(0, 0);
  }
}

function showFleet(what) {
  if (what === undefined || what === "buckets") {
    fleet.showTotals();
    grid.show();
  }
  if (what === "history") return grid.draw();
  if (what !== "events") fleet.showAttention();
  if (what === undefined || what === "instances") fleet.showInstances(byId("instances"));
  if (what === undefined || what === "events") fleet.showEvents(byId("events"));
}

function showInstance() {
  const sight = state.instance;
  setText(byId("instance"), sight.instance);
  byId("instance").title = `Comporta ${sight.version}`;
  const phase = byId("phase");
  phase.hidden = sight.phase === "running";
  setText(phase, sight.phase);
}

function showLink(link, why) {
  const node = byId("link");
  node.dataset.link = link;
  document.body.dataset.link = link;
  setText(node.lastChild, LINKS[link]);
  node.title = why;
  const notice = byId("notice");
  notice.hidden = link !== "lost" && link !== "locked";
  if (link === "lost") setText(notice, `No connection to the instance: ${why} What is shown was true a moment ago.`);
  if (link === "locked") setText(notice, why);
}

onChange((what) => {
  if (what === "instances") showInstance();
  if (bucket.current() === null) showFleet(what);
  else {
    bucket.show(what);
    if (what === "buckets" || what === "instances") fleet.showAttention();
  }
});

grid.begin();
keys.begin();
actions.begin(() => stream.reopen());
byId("theme").addEventListener("click", () => window.comportaTheme.toggle());
byId("help").addEventListener("click", () => help());
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
stream.begin(showLink, () => {
  location.hash = "#/";
});
addEventListener("hashchange", route);
route();
