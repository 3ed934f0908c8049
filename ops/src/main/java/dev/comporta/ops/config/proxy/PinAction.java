package dev.comporta.ops.config.proxy;

/** What happens to a client that has kept its server connection for longer than {@code max_pin_time}. */
public enum PinAction {
    WARN,
    CLOSE
}
