package dev.comporta.tls;

import io.netty.handler.ssl.SslContext;

/**
 * The TLS settings of a server of HTTP: TLS 1.2 or 1.3, and no certificate asked of callers. Immutable; a new certificate
 * is a new instance.
 */
public record HttpTls(SslContext context) {}
