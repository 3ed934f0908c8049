package dev.comporta.tds.token;

/** The first byte of each token, under the specification's names. */
public final class TokenType {
    public static final int TVP_ROW = 0x01;
    public static final int OFFSET = 0x78;
    public static final int RETURNSTATUS = 0x79;
    public static final int COLMETADATA = 0x81;
    public static final int ALTMETADATA = 0x88;
    public static final int DATACLASSIFICATION = 0xA3;
    public static final int TABNAME = 0xA4;
    public static final int COLINFO = 0xA5;
    public static final int ORDER = 0xA9;
    public static final int ERROR = 0xAA;
    public static final int INFO = 0xAB;
    public static final int RETURNVALUE = 0xAC;
    public static final int LOGINACK = 0xAD;
    public static final int FEATUREEXTACK = 0xAE;
    public static final int ROW = 0xD1;
    public static final int NBCROW = 0xD2;
    public static final int ALTROW = 0xD3;
    public static final int ENVCHANGE = 0xE3;
    public static final int SESSIONSTATE = 0xE4;
    public static final int SSPI = 0xED;
    public static final int FEDAUTHINFO = 0xEE;
    public static final int DONE = 0xFD;
    public static final int DONEPROC = 0xFE;
    public static final int DONEINPROC = 0xFF;

    private TokenType() {}

    /** The token's name, for messages about malformed responses. */
    public static String name(int token) {
        return switch (token) {
            case TVP_ROW -> "TVP_ROW";
            case OFFSET -> "OFFSET";
            case RETURNSTATUS -> "RETURNSTATUS";
            case COLMETADATA -> "COLMETADATA";
            case ALTMETADATA -> "ALTMETADATA";
            case DATACLASSIFICATION -> "DATACLASSIFICATION";
            case TABNAME -> "TABNAME";
            case COLINFO -> "COLINFO";
            case ORDER -> "ORDER";
            case ERROR -> "ERROR";
            case INFO -> "INFO";
            case RETURNVALUE -> "RETURNVALUE";
            case LOGINACK -> "LOGINACK";
            case FEATUREEXTACK -> "FEATUREEXTACK";
            case ROW -> "ROW";
            case NBCROW -> "NBCROW";
            case ALTROW -> "ALTROW";
            case ENVCHANGE -> "ENVCHANGE";
            case SESSIONSTATE -> "SESSIONSTATE";
            case SSPI -> "SSPI";
            case FEDAUTHINFO -> "FEDAUTHINFO";
            case DONE -> "DONE";
            case DONEPROC -> "DONEPROC";
            case DONEINPROC -> "DONEINPROC";
            default -> "token 0x%02X".formatted(token);
        };
    }
}
