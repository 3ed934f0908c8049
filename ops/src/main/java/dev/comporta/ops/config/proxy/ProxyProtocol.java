package dev.comporta.ops.config.proxy;

/** Whether connections to a listener begin with a PROXY header, which tells whose they are. */
public enum ProxyProtocol {
    OFF,
    OPTIONAL,
    REQUIRED
}
