/**
 * Certificates and TLS contexts: a self-signed certificate, the contexts of both kinds of TDS connection, and the PEM
 * files that an operator names. The TLS records that TDS wraps in its own packets are the protocol's: see tds.
 */
@NullMarked
package dev.comporta.tls;

import org.jspecify.annotations.NullMarked;
