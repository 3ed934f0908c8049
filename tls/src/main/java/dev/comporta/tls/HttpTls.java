package dev.comporta.tls;

import io.netty.handler.ssl.SslContext;

/**
 * The TLS settings of an HTTP server: TLS 1.2 or 1.3, without client certificates. Immutable; a new certificate needs a new
 * instance.
 */
public record HttpTls(SslContext context) {}
