package dev.comporta.ops.config.bucket;

/** Whether a call of a procedure pins its caller. */
public enum ProcedureSharing {
    /** No, except for the server's own procedures that are known to change the session. */
    SHARE,
    /** Yes, until the client's session is reset or ends. */
    PIN
}
