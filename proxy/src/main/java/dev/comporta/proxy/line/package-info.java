/**
 * Both ends of the relay as network connections: what clients that share server connections and clients that don't have in
 * common.
 */
@NullMarked
package dev.comporta.proxy.line;

import org.jspecify.annotations.NullMarked;
