// The state of the page. Only messages of the stream change it, and then the listeners are called.

const MINUTE = 60_000;
const MOST_EVENTS = 200;
const MOST_POINTS = 180;
/** From this share of its connections in use on, a bucket is busy. */
const BUSY = 0.8;

/** In descending order of urgency. */
export const STATES = ["down", "paused", "queued", "busy", "calm"];

export const state = {
  at: 0,
  instance: null,
  buckets: new Map(),
  events: [],
  detail: null,
  history: new Map(), // by bucket
};

const listeners = new Set();

export function onChange(listener) {
  listeners.add(listener);
}

/** A table of the stream as objects. */
export function rows(table) {
  return table.rows.map((row) => Object.fromEntries(table.columns.map((column, i) => [column, row[i]])));
}

/** Slots of a bucket that other instances hold. */
function heldElsewhere(bucket) {
  return (state.instance?.instances ?? [])
    .filter((instance) => !instance.self)
    .reduce((sum, instance) => sum + (instance.slots[bucket]?.[0] ?? 0), 0);
}

function stateOf(bucket) {
  if (!bucket.healthy) return "down";
  if (bucket.paused) return "paused";
  if (bucket.waiting > 0) return "queued";
  return bucket.load >= BUSY ? "busy" : "calm";
}

const take = {
  buckets(message) {
    state.at = message.at;
    const before = state.buckets;
    state.buckets = new Map(rows(message.buckets).map((bucket) => {
      bucket.name = bucket.server_name;
      bucket.elsewhere = heldElsewhere(bucket.name);
      const here = Math.max(bucket.max_connections - bucket.elsewhere, bucket.slots_held, 1);
      bucket.load = Math.min(1, bucket.active / here);
      bucket.state = stateOf(bucket);
      bucket.failures = failures(before.get(bucket.name)?.failures, message.at, bucket);
      return [bucket.name, bucket];
    }));
  },
  instances(message) {
    state.instance = message;
  },
  events(message) {
    const fresh = message.filter((event) => !state.events.some((known) => known.id === event.id));
    const isSummed = (known) => fresh.some((event) => event.times > 1 && event.kind === known.kind
      && event.bucket === known.bucket && event.client === known.client && event.login === known.login
      && event.message === known.message);
    state.events = [...state.events.filter((known) => !isSummed(known)), ...fresh]
      .sort((a, b) => b.id - a.id).slice(0, MOST_EVENTS);
  },
  detail(message) {
    state.detail = message;
  },
  history(message) {
    const points = state.history.get(message.bucket) ?? [];
    const last = points.at(-1)?.at ?? 0;
    points.push(...message.points.filter((point) => point.at > last));
    points.splice(0, points.length - MOST_POINTS);
    state.history.set(message.bucket, points);
  },
};

/** Errors and refusals of the last minute; the stream has the totals since the bucket was added. */
function failures(before, at, bucket) {
  const total = bucket.refused + bucket.connection_errors;
  const marks = (before?.marks ?? []).filter((mark) => mark.at > at - MINUTE && mark.total <= total);
  marks.push({ at, total });
  return { marks, lately: total - marks[0].total };
}

export function receive(name, message) {
  take[name]?.(message);
  for (const listener of listeners) listener(name);
}

/** After a restart an instance numbers its events from the beginning. */
export function forgetEvents() {
  state.events = [];
}

/** Called when the user opens another view: history kept from before would have gaps. */
export function turn() {
  state.detail = null;
  state.history.clear();
}

/** The most urgent first; calm ones by name, so that they keep their places. */
export function sorted() {
  return [...state.buckets.values()].sort((a, b) =>
    STATES.indexOf(a.state) - STATES.indexOf(b.state) || a.name.localeCompare(b.name, "en", { numeric: true }));
}
