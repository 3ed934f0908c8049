// Actions: each asks for confirmation, calls the admin API with the token, and shows the answer with its audit line.

import { byId, setText } from "./dom.js";
import { ask, askToken, tell } from "./dialogs.js";
import { state } from "./state.js";

const KEY = "comporta-token";
let kept = readToken();
let changed = () => {};

function readToken() {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // storage is disabled: the token is kept as long as the page
  }
}

export const token = () => kept;

function keepToken(value) {
  kept = value;
  try {
    if (value) sessionStorage.setItem(KEY, value);
    else sessionStorage.removeItem(KEY);
  } catch {
    // As above.
  }
  showLock();
}

export function forgetToken() {
  keepToken("");
}

/** @param onToken is called when the token changes or is removed */
export function begin(onToken) {
  changed = onToken;
  byId("token").addEventListener("click", async () => {
    if (kept) {
      forgetToken();
      changed();
    } else if (await unlock()) {
      changed();
    }
  });
  byId("drain").addEventListener("click", () => act("drain", state.instance?.instance ?? "this instance"));
  showLock();
}

function showLock() {
  setText(byId("token"), kept ? "Lock actions" : "Unlock actions");
}

/** Asks the user for the token, and tries it. */
export async function unlock() {
  if (state.instance && !state.instance.actions) {
    await tell("Actions are off", "This instance has no token. Set proxy.admin.token in proxy.yaml and reload (SIGHUP).");
    return false;
  }
  return askToken(async (typed) => {
    const answer = await call("GET", "/instances?limit=1", typed);
    if (answer.ok) {
      keepToken(typed);
      return "";
    }
    return answer.message;
  });
}

async function call(method, path, bearer = kept) {
  try {
    const response = await fetch(`/api/v1${path}`, {
      method, headers: { Authorization: `Bearer ${bearer}` }, cache: "no-store", credentials: "omit",
    });
    const body = await response.json();
    if (response.status === 401) forgetToken();
    return { ok: response.ok, message: body.message ?? body.error?.message ?? "", audit: body.audit ?? "" };
  } catch (error) {
    return { ok: false, message: `No answer: ${error.message}`, audit: "" };
  }
}

const bucketPath = (bucket, verb) => `/buckets/${encodeURIComponent(bucket)}/${verb}`;

/** The text of each confirmation, and the request. */
const ACTIONS = {
  pause: (bucket) => ({
    title: `Pause ${bucket}?`,
    text: "Requests of its clients wait in the queue until it is resumed, and are refused after queue_timeout. "
      + "Work that has begun goes on to its end.",
    button: "Pause", run: () => call("POST", bucketPath(bucket, "pause")),
  }),
  resume: (bucket) => ({
    title: `Resume ${bucket}?`, text: "Waiting requests get server connections again.",
    button: "Resume", run: () => call("POST", bucketPath(bucket, "resume")),
  }),
  reconnect: (bucket) => ({
    title: `Reconnect ${bucket}?`,
    text: "Its server connections are replaced: idle ones now, others as soon as no client uses them. No client is interrupted.",
    button: "Reconnect", run: () => call("POST", bucketPath(bucket, "reconnect")),
  }),
  kill: (client, login) => ({
    title: `Kill client ${client}?`,
    text: `The connection of ${login ?? "this client"} is closed, and the server rolls its transaction back.`,
    button: "Kill", danger: true, run: () => call("DELETE", `/clients/${client}`),
  }),
  drain: (instance) => ({
    title: `Drain ${instance}?`,
    text: "The instance accepts no more clients, lets connected ones end their transactions, and then stops. "
      + "This can't be undone.",
    button: "Drain and stop", danger: true, run: () => call("POST", "/drain"),
  }),
};

export async function act(name, ...about) {
  if (!kept && !(await unlock())) return;
  const action = ACTIONS[name](...about);
  await ask(action);
}
