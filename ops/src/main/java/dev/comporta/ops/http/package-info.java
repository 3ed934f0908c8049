/**
 * A small HTTP/1.1 server for probes, scrapes and people: blocking code on virtual threads, with a limit to everything that
 * a stranger can make it hold.
 */
@NullMarked
package dev.comporta.ops.http;

import org.jspecify.annotations.NullMarked;
