package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.Ucs2;
import dev.comporta.tds.type.DataType;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One parameter of an RPC.
 *
 * @param name with its {@code @}; empty if given by position
 * @param status {@link #STATUS_OUTPUT}, {@link #STATUS_DEFAULT}, {@link #STATUS_ENCRYPTED}
 * @param value of one of the classes that {@link TypeInfo} lists
 * @param cipher how the value is encrypted; null if it is not
 */
public record RpcParameter(
        String name,
        int status,
        TypeInfo type,
        @Nullable Object value,
        @Nullable ParameterCipher cipher) {

    /** An output parameter: the server returns its value. */
    public static final int STATUS_OUTPUT = 0x01;

    /** Use the procedure's default; the value is ignored. */
    public static final int STATUS_DEFAULT = 0x02;

    /** The value is encrypted; only the client can decrypt it. */
    public static final int STATUS_ENCRYPTED = 0x08;

    public static RpcParameter of(String name, TypeInfo type, @Nullable Object value) {
        return new RpcParameter(name, 0, type, value, null);
    }

    public static RpcParameter output(String name, TypeInfo type, @Nullable Object value) {
        return new RpcParameter(name, STATUS_OUTPUT, type, value, null);
    }

    public boolean isOutput() {
        return (status & STATUS_OUTPUT) != 0;
    }

    public boolean isDefault() {
        return (status & STATUS_DEFAULT) != 0;
    }

    static RpcParameter read(ByteBuf in, RequestFormat format) {
        String name = Ucs2.readByteLength(in);
        int status = in.readUnsignedByte();
        TypeInfo type = TypeInfo.readParameter(in, format.version());
        Object value = type.readValue(in);
        ParameterCipher cipher = (status & STATUS_ENCRYPTED) != 0 ? ParameterCipher.read(in, format) : null;
        return new RpcParameter(name, status, type, value, cipher);
    }

    void write(ByteBuf out, RequestFormat format) {
        if (name.length() >= format.version().rpcSeparator() || name.length() >= RpcCall.NO_EXEC) {
            throw new IllegalArgumentException("parameter name of " + name.length() + " characters");
        }
        if ((cipher != null) != ((status & STATUS_ENCRYPTED) != 0)) {
            throw new IllegalArgumentException("parameter " + name + ": the encrypted flag and the cipher differ");
        }
        Ucs2.writeByteLength(out, name);
        out.writeByte(status);
        type.writeParameter(out);
        type.writeValue(out, value);
        if (cipher != null) {
            cipher.write(out);
        }
    }

    /** The type of an encrypted value before encryption, and the key. */
    public record ParameterCipher(
            TypeInfo type,
            int algorithm,
            String algorithmName,
            int encryptionType,
            int databaseId,
            int keyId,
            int keyVersion,
            long keyMetadataVersion,
            int normalizationVersion) {

        /** The algorithm is given by its name. */
        public static final int CUSTOM_ALGORITHM = 0;

        static ParameterCipher read(ByteBuf in, RequestFormat format) {
            TypeInfo type = TypeInfo.readParameter(in, format.version());
            if (type.type() == DataType.TVP) {
                throw new ProtocolException("encrypted table-valued parameter");
            }
            int algorithm = in.readUnsignedByte();
            String name = algorithm == CUSTOM_ALGORITHM ? Ucs2.readByteLength(in) : "";
            return new ParameterCipher(
                    type,
                    algorithm,
                    name,
                    in.readUnsignedByte(),
                    in.readIntLE(),
                    in.readIntLE(),
                    in.readIntLE(),
                    in.readLongLE(),
                    in.readUnsignedByte());
        }

        void write(ByteBuf out) {
            type.writeParameter(out);
            out.writeByte(algorithm);
            if (algorithm == CUSTOM_ALGORITHM) {
                Ucs2.writeByteLength(out, algorithmName);
            }
            out.writeByte(encryptionType)
                    .writeIntLE(databaseId)
                    .writeIntLE(keyId)
                    .writeIntLE(keyVersion);
            out.writeLongLE(keyMetadataVersion).writeByte(normalizationVersion);
        }
    }
}
