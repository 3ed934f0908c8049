package dev.comporta.ops.config.bucket;

/** TLS between Comporta and a database. */
public enum Encrypt {
    /** None, not even for the password. */
    OFF,
    /** The login packet only. */
    LOGIN,
    /** Everything, agreed on in PRELOGIN. */
    ON,
    /** Everything, TLS before the first TDS packet (TDS 8.0). */
    STRICT
}
