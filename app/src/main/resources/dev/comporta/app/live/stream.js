// Reads the stream of server-sent events with fetch, because EventSource can't send the token.

import { token, forgetToken } from "./actions.js";
import { forgetEvents, receive } from "./state.js";

/** The feed ticks every 2 seconds: after this time without a byte, the connection is dead. */
const SILENCE = 12_000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;

let wanted = null; // the bucket, or null for the fleet only
let running = null; // of the stream that is open or being opened
let pause = FIRST_PAUSE;
let tell = () => {};
let refused = () => {};

/**
 * @param onLink is called with "live", "connecting", "lost", "locked" or "paused", and the reason
 * @param onGone is called if there is no such bucket
 */
export function begin(onLink, onGone) {
  tell = onLink;
  refused = onGone;
  // Browsers allow few connections to one server: a hidden page closes its own, for others to use.
  document.addEventListener("visibilitychange", () => (document.hidden ? stop("paused") : open()));
}

export function follow(bucket) {
  if (running && wanted === bucket) return;
  wanted = bucket;
  open();
}

export function reopen() {
  pause = FIRST_PAUSE;
  open();
}

function stop(link) {
  running?.abort();
  running = null;
  tell(link, "");
}

function open() {
  if (document.hidden) return;
  running?.abort();
  const mine = new AbortController();
  running = mine;
  read(mine).then(
    (why) => again(mine, why),
    (error) => again(mine, mine.signal.reason === "silence" ? "no answer" : error.message),
  );
}

function again(mine, why) {
  if (running !== mine) return; // another one was opened since
  if (why === "locked" || why === "gone") {
    running = null;
    return;
  }
  if (why !== "ended") tell("lost", why);
  setTimeout(() => running === mine && open(), pause);
  pause = Math.min(2 * pause, LONGEST_PAUSE);
}

async function read(mine) {
  const watchdog = new Watchdog(mine);
  try {
    const query = wanted === null ? "" : `?bucket=${encodeURIComponent(wanted)}`;
    const response = await fetch(`/live/stream${query}`, {
      headers: token() ? { Authorization: `Bearer ${token()}` } : {},
      signal: mine.signal, cache: "no-store", credentials: "omit",
    });
    if (response.status === 401 || response.status === 404 && wanted === null) {
      forgetToken();
      tell("locked", response.status === 401
        ? "The live page of this instance needs its token. Choose “Unlock actions”."
        : "The live page of this instance is off (proxy.admin.live_page).");
      return "locked";
    }
    if (response.status === 404) {
      refused(wanted);
      return "gone";
    }
    if (!response.ok) return (await response.text()).slice(0, 200);
    forgetEvents();
    const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await pieces.read();
      if (done) return "ended";
      watchdog.feed();
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      blocks.forEach(take);
      if (blocks.length > 0) {
        pause = FIRST_PAUSE;
        tell("live", "");
      }
    }
  } finally {
    watchdog.end();
  }
}

class Watchdog {
  constructor(controller) {
    this.controller = controller;
    this.feed();
  }

  feed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.controller.abort("silence"), SILENCE);
  }

  end() {
    clearTimeout(this.timer);
  }
}

function take(block) {
  let name = "";
  let data = "";
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    if (line.startsWith("data: ")) data += line.slice(6);
  }
  if (name) receive(name, JSON.parse(data));
}
