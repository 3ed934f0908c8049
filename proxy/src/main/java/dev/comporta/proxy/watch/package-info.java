/** What the data plane reports: snapshots of clients, connections and queues, and events as they happen. */
@NullMarked
package dev.comporta.proxy.watch;

import org.jspecify.annotations.NullMarked;
