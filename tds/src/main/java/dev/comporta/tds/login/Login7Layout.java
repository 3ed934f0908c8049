package dev.comporta.tds.login;

/** The offsets in the fixed part of LOGIN7. Pairs are an offset (USHORT) and a length (USHORT, mostly characters). */
final class Login7Layout {
    static final int LENGTH = 0;
    static final int TDS_VERSION = 4;
    static final int PACKET_SIZE = 8;
    static final int CLIENT_PROG_VERSION = 12;
    static final int CLIENT_PID = 16;
    static final int CONNECTION_ID = 20;
    static final int OPTION_FLAGS_1 = 24;
    static final int OPTION_FLAGS_2 = 25;
    static final int TYPE_FLAGS = 26;
    static final int OPTION_FLAGS_3 = 27;
    static final int TIME_ZONE = 28;
    static final int LCID = 32;
    static final int HOST_NAME = 36;
    static final int USER_NAME = 40;
    static final int PASSWORD = 44;
    static final int APP_NAME = 48;
    static final int SERVER_NAME = 52;
    static final int EXTENSION = 56;
    static final int INTERFACE_NAME = 60;
    static final int LANGUAGE = 64;
    static final int DATABASE = 68;
    static final int CLIENT_ID = 72;
    static final int SSPI = 78;
    static final int ATTACH_DB_FILE = 82;

    /** Before 7.2 the fixed part ends here. */
    static final int LENGTH_BEFORE_7_2 = 86;

    static final int CHANGE_PASSWORD = 86;
    static final int SSPI_LONG = 90;
    static final int FIXED_LENGTH = 94;

    /** If the length of the SSPI data has this value, the real length is in {@link #SSPI_LONG}. */
    static final int LENGTH_IS_LONG = 0xFFFF;

    private Login7Layout() {}
}
