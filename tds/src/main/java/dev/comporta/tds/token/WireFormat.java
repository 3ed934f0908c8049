package dev.comporta.tds.token;

import dev.comporta.tds.TdsVersion;

/**
 * The token format that a login negotiated.
 *
 * @param columnEncryption whether COLMETADATA begins with a table of keys
 * @param dataClassification the version of DATACLASSIFICATION; 0 if the server may not send it
 */
public record WireFormat(TdsVersion version, boolean columnEncryption, int dataClassification) {
    /** Feature extensions that change the form of tokens. */
    public static final int COLUMNENCRYPTION = 0x04;

    public static final int DATACLASSIFICATION = 0x09;

    public WireFormat(TdsVersion version) {
        this(version, false, 0);
    }

    public WireFormat with(TdsVersion other) {
        return new WireFormat(other, columnEncryption, dataClassification);
    }

    public WireFormat withColumnEncryption(boolean other) {
        return new WireFormat(version, other, dataClassification);
    }

    public WireFormat withDataClassification(int other) {
        return new WireFormat(version, columnEncryption, other);
    }
}
