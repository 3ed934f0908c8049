package dev.comporta.ops.config.proxy;

/** Whether connections to a listener begin with a PROXY header, which has the client's address. */
public enum ProxyProtocol {
    OFF,
    OPTIONAL,
    REQUIRED
}
