package dev.comporta.tds.token;

/** The types of ENVCHANGE. */
public final class EnvChange {
    public static final int DATABASE = 1;
    public static final int LANGUAGE = 2;
    public static final int CHARSET = 3;
    public static final int PACKET_SIZE = 4;
    public static final int SORT_LOCALE = 5;
    public static final int SORT_FLAGS = 6;
    public static final int COLLATION = 7;
    public static final int BEGIN_TRANSACTION = 8;
    public static final int COMMIT_TRANSACTION = 9;
    public static final int ROLLBACK_TRANSACTION = 10;
    public static final int ENLIST_DTC = 11;
    public static final int DEFECT_TRANSACTION = 12;
    public static final int MIRRORING_PARTNER = 13;
    public static final int PROMOTE_TRANSACTION = 15;
    public static final int TRANSACTION_MANAGER_ADDRESS = 16;
    public static final int TRANSACTION_ENDED = 17;
    public static final int RESET_ACKNOWLEDGED = 18;
    public static final int USER_INSTANCE = 19;
    public static final int ROUTING = 20;
    /** To a database of another name, too: Azure SQL's reader endpoints. For clients that ask for the feature. */
    public static final int ENHANCED_ROUTING = 21;

    private EnvChange() {}
}
