package dev.comporta.tds.login;

import java.util.Arrays;

/**
 * One feature that a client asks for in LOGIN7 (7.4 and later), with its data unchanged. Unknown features are kept too: a
 * login that is passed on must ask for everything that the client asked for. The data may be an access token, so it is
 * never shown.
 */
public final class FeatureExtension {
    public static final int SESSIONRECOVERY = 0x01;
    public static final int FEDAUTH = 0x02;
    public static final int COLUMNENCRYPTION = 0x04;
    public static final int GLOBALTRANSACTIONS = 0x05;
    public static final int AZURESQLSUPPORT = 0x08;
    public static final int DATACLASSIFICATION = 0x09;
    public static final int UTF8_SUPPORT = 0x0A;
    public static final int AZURESQLDNSCACHING = 0x0B;
    public static final int JSONSUPPORT = 0x0D;
    public static final int VECTORSUPPORT = 0x0E;
    public static final int ENHANCEDROUTINGSUPPORT = 0x0F;
    public static final int USERAGENT = 0x10;

    /** Ends the list of features, so it can't be a feature's id. */
    public static final int TERMINATOR = 0xFF;

    private final int id;
    private final byte[] data;

    public FeatureExtension(int id, byte[] data) {
        if (id < 0 || id >= TERMINATOR) {
            throw new IllegalArgumentException("feature id " + id);
        }
        this.id = id;
        this.data = data.clone();
    }

    public int id() {
        return id;
    }

    /** A copy of the data. */
    public byte[] data() {
        return data.clone();
    }

    public int dataLength() {
        return data.length;
    }

    /** Overwrites its data with zeros. */
    void wipe() {
        Arrays.fill(data, (byte) 0);
    }

    /** The feature's name in the specification, for messages to people. */
    public static String name(int id) {
        return switch (id) {
            case SESSIONRECOVERY -> "SESSIONRECOVERY";
            case FEDAUTH -> "FEDAUTH";
            case COLUMNENCRYPTION -> "COLUMNENCRYPTION";
            case GLOBALTRANSACTIONS -> "GLOBALTRANSACTIONS";
            case AZURESQLSUPPORT -> "AZURESQLSUPPORT";
            case DATACLASSIFICATION -> "DATACLASSIFICATION";
            case UTF8_SUPPORT -> "UTF8_SUPPORT";
            case AZURESQLDNSCACHING -> "AZURESQLDNSCACHING";
            case JSONSUPPORT -> "JSONSUPPORT";
            case VECTORSUPPORT -> "VECTORSUPPORT";
            case ENHANCEDROUTINGSUPPORT -> "ENHANCEDROUTINGSUPPORT";
            case USERAGENT -> "USERAGENT";
            default -> "0x%02x".formatted(id);
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FeatureExtension that && id == that.id && Arrays.equals(data, that.data);
    }

    @Override
    public int hashCode() {
        return 31 * id + Arrays.hashCode(data);
    }

    @Override
    public String toString() {
        return name(id) + "(" + data.length + " bytes)";
    }
}
