package dev.comporta.tds;

/**
 * A version of the protocol, oldest first, and what it changes on the wire. 8.0 differs from 7.4 only in that TLS begins
 * before PRELOGIN; its tokens are those of 7.4.
 */
public enum TdsVersion {
    V7_0(0x70000000),
    V7_1(0x71000001),
    V7_2(0x72090002),
    V7_3A(0x730A0003),
    V7_3B(0x730B0003),
    V7_4(0x74000004),
    V8_0(0x08000000);

    private final int wireValue;

    TdsVersion(int wireValue) {
        this.wireValue = wireValue;
    }

    /** The number as LOGIN7 carries it in little-endian order, and LOGINACK in big-endian order. */
    public int wireValue() {
        return wireValue;
    }

    /**
     * The version that a server supporting all of these answers to a client that asks for {@code requested}: the newest one
     * that is not newer than the requested one. Clients may ask for a revision that was never published (7.1 without its
     * service pack, or a future one).
     *
     * @throws ProtocolException if {@code requested} is older than 7.0, whose LOGIN7 has another layout
     */
    public static TdsVersion negotiate(int requested) {
        int major = requested >>> 24;
        if (major >= 0x08 && major < 0x70) {
            return V8_0;
        }
        return switch (major) {
            case 0x70 -> V7_0;
            case 0x71 -> V7_1;
            case 0x72 -> V7_2;
            case 0x73 -> Integer.compareUnsigned(requested, V7_3B.wireValue) >= 0 ? V7_3B : V7_3A;
            default -> {
                if (major < 0x70) {
                    throw new ProtocolException("TDS version 0x%08x is not supported".formatted(requested));
                }
                yield V7_4;
            }
        };
    }

    /** The version as people write it: 7.1, 7.3A. */
    public String number() {
        return name().substring(1).replace('_', '.');
    }

    public boolean isAtLeast(TdsVersion other) {
        return compareTo(other) >= 0;
    }

    /** Batches, RPCs and transaction manager requests begin with ALL_HEADERS. */
    public boolean hasAllHeaders() {
        return isAtLeast(V7_2);
    }

    /** DONE, DONEPROC and DONEINPROC count rows in 8 bytes; in 4 before. */
    public boolean hasLongRowCounts() {
        return isAtLeast(V7_2);
    }

    /** Values of unlimited length come in chunks (PLP), and XML and UDT columns exist. */
    public boolean hasPartialLengthValues() {
        return isAtLeast(V7_2);
    }

    /** User types take 4 bytes in metadata; 2 before. */
    public boolean hasLongUserTypes() {
        return isAtLeast(V7_2);
    }

    /** ERROR and INFO give the line in 4 bytes; in 2 before. */
    public boolean hasLongLineNumbers() {
        return isAtLeast(V7_2);
    }

    /**
     * RETURNVALUE carries the ordinal of its parameter. In older versions that field holds its length, and returned values
     * are identified by their order alone.
     */
    public boolean hasReturnOrdinals() {
        return isAtLeast(V7_2);
    }

    /**
     * ENVCHANGE 8 to 17 exist, so a server can report that a transaction began or ended. Not every server does; before 7.2
     * none does, and the absence of a report means nothing.
     */
    public boolean tellsOfTransactions() {
        return isAtLeast(V7_2);
    }

    /** ENVCHANGE 18 exists, which acknowledges RESETCONNECTION. 7.1 has the reset, but no acknowledgement of it. */
    public boolean acknowledgesReset() {
        return isAtLeast(V7_2);
    }

    /** Character types carry a collation. */
    public boolean hasCollations() {
        return isAtLeast(V7_1);
    }

    /** DATE, TIME, DATETIME2 and DATETIMEOFFSET exist. Older clients receive them as text. */
    public boolean hasDateTypes() {
        return isAtLeast(V7_3A);
    }

    /** Rows may omit their null values (NBCROW). */
    public boolean hasNullBitmapRows() {
        return isAtLeast(V7_3B);
    }

    /** LOGIN7 may carry feature extensions. */
    public boolean hasFeatureExtensions() {
        return isAtLeast(V7_4);
    }

    /** The byte between two RPCs of one message. */
    public int rpcSeparator() {
        return isAtLeast(V7_2) ? 0xFF : 0x80;
    }
}
