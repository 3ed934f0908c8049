package dev.comporta.tds.packet;

/** The first byte of a packet. Ints, not an enum: the type is read from every packet on the hot path. */
public final class PacketType {
    public static final int SQL_BATCH = 0x01;
    public static final int PRE_TDS7_LOGIN = 0x02;
    public static final int RPC = 0x03;
    public static final int TABULAR_RESULT = 0x04;
    public static final int ATTENTION = 0x06;
    public static final int BULK_LOAD = 0x07;
    public static final int FEDAUTH_TOKEN = 0x08;
    public static final int TRANSACTION_MANAGER = 0x0E;
    public static final int LOGIN7 = 0x10;
    public static final int SSPI = 0x11;
    public static final int PRELOGIN = 0x12;

    private static final int KNOWN = 1 << SQL_BATCH
            | 1 << PRE_TDS7_LOGIN
            | 1 << RPC
            | 1 << TABULAR_RESULT
            | 1 << ATTENTION
            | 1 << BULK_LOAD
            | 1 << FEDAUTH_TOKEN
            | 1 << TRANSACTION_MANAGER
            | 1 << LOGIN7
            | 1 << SSPI
            | 1 << PRELOGIN;

    private PacketType() {}

    public static boolean isKnown(int type) {
        return type >= 0 && type <= PRELOGIN && (KNOWN >>> type & 1) != 0;
    }

    /** The type's name in the specification, for messages to people. */
    public static String name(int type) {
        return switch (type) {
            case SQL_BATCH -> "SQL batch";
            case PRE_TDS7_LOGIN -> "pre-TDS7 login";
            case RPC -> "RPC";
            case TABULAR_RESULT -> "tabular result";
            case ATTENTION -> "attention";
            case BULK_LOAD -> "bulk load";
            case FEDAUTH_TOKEN -> "federated authentication token";
            case TRANSACTION_MANAGER -> "transaction manager request";
            case LOGIN7 -> "LOGIN7";
            case SSPI -> "SSPI";
            case PRELOGIN -> "PRELOGIN";
            default -> "0x%02x".formatted(type);
        };
    }
}
