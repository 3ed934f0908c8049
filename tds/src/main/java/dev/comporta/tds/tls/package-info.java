/**
 * TLS as TDS carries it, for both sides: handshake inside PRELOGIN packets and then bare records (7.x), for the whole
 * connection or for LOGIN7 alone; or TLS from the first byte (8.0, strict).
 */
@NullMarked
package dev.comporta.tds.tls;

import org.jspecify.annotations.NullMarked;
