/** What a server's response tells while it passes: its end, its transactions, the numbers and resets in it. */
@NullMarked
package dev.comporta.proxy.relay.response;

import org.jspecify.annotations.NullMarked;
