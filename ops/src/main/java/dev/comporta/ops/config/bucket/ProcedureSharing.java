package dev.comporta.ops.config.bucket;

/** What a call of a procedure means for its caller's connection. */
public enum ProcedureSharing {
    /** Nothing, unless the server's own procedures are known to change the session. */
    SHARE,
    /** The client keeps it until its session is reset or ends. */
    PIN
}
