/**
 * HTTP/1.1 for probes, scrapes, administrators and their tools: Netty's codec on one event loop that serves nothing else,
 * and handlers on virtual threads. All memory and connections that an unauthenticated caller can take are limited.
 */
@NullMarked
package dev.comporta.http;

import org.jspecify.annotations.NullMarked;
