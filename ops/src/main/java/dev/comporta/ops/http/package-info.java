/** Requests, responses and handlers, independent of the HTTP server. */
@NullMarked
package dev.comporta.ops.http;

import org.jspecify.annotations.NullMarked;
