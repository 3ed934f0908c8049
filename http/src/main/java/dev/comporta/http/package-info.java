/**
 * HTTP/1.1 for probes, scrapes, administrators and their tools: Netty's codec on one event loop that serves nothing else,
 * and handlers on virtual threads. There is a limit to everything that a stranger can make it hold.
 */
@NullMarked
package dev.comporta.http;

import org.jspecify.annotations.NullMarked;
