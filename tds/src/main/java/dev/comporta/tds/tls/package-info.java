/**
 * TLS within TDS, for both sides: the handshake inside PRELOGIN packets followed by bare records (7.x), for the whole
 * connection or for LOGIN7 alone; or TLS from the first byte (8.0, strict).
 */
@NullMarked
package dev.comporta.tds.tls;

import org.jspecify.annotations.NullMarked;
