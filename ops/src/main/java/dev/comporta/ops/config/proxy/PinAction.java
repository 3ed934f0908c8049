package dev.comporta.ops.config.proxy;

/** What becomes of a client that has kept its server connection for longer than {@code max_pin_time}. */
public enum PinAction {
    WARN,
    CLOSE
}
