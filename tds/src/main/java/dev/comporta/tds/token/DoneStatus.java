package dev.comporta.tds.token;

/** The bits of the status in DONE, DONEPROC and DONEINPROC. */
public final class DoneStatus {
    public static final int FINAL = 0x0;
    /** Another token of the response follows. */
    public static final int MORE = 0x1;

    public static final int ERROR = 0x2;
    /** Reserved: SQL Server never sets it, and nothing may be concluded from it. */
    public static final int INXACT = 0x4;
    /** The row count is valid. */
    public static final int COUNT = 0x10;
    /** Acknowledges an attention. */
    public static final int ATTN = 0x20;
    /** The statement failed so severely that the client discards its results. */
    public static final int SRVERROR = 0x100;

    private DoneStatus() {}
}
