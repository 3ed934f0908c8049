/** What the data plane tells of itself: snapshots of clients, connections and queues, and events as they happen. */
@NullMarked
package dev.comporta.proxy.watch;

import org.jspecify.annotations.NullMarked;
