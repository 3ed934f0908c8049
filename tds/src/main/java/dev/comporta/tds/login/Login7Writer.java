package dev.comporta.tds.login;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** Writes LOGIN7: the fixed part with open pointers first, then each field's data, patching its pointer. */
final class Login7Writer {
    private final Login7 login;
    private final ByteBuf out;
    private final int start;
    private final TdsVersion version;

    Login7Writer(Login7 login, ByteBuf out) {
        this.login = login;
        this.out = out;
        start = out.writerIndex();
        version = TdsVersion.negotiate(login.tdsVersion());
    }

    void write() {
        boolean extended = version.hasFeatureExtensions() && !login.features().isEmpty();
        boolean hasLongForm = version.isAtLeast(TdsVersion.V7_2);
        writeFixedPart(extended);
        out.writeZero(
                (hasLongForm ? Login7Layout.FIXED_LENGTH : Login7Layout.LENGTH_BEFORE_7_2) - Login7Layout.HOST_NAME);
        out.setShort(start + Login7Layout.CLIENT_ID, (int) (login.clientId() >>> 32));
        out.setInt(start + Login7Layout.CLIENT_ID + 2, (int) login.clientId());

        text(Login7Layout.HOST_NAME, login.hostName());
        text(Login7Layout.USER_NAME, login.userName());
        password(Login7Layout.PASSWORD, login.password());
        text(Login7Layout.APP_NAME, login.appName());
        text(Login7Layout.SERVER_NAME, login.serverName());
        int featurePointer = extended ? extensionPointer() : 0;
        text(Login7Layout.INTERFACE_NAME, login.interfaceName());
        text(Login7Layout.LANGUAGE, login.language());
        text(Login7Layout.DATABASE, login.database());
        text(Login7Layout.ATTACH_DB_FILE, login.attachDbFile());
        if (hasLongForm) {
            password(Login7Layout.CHANGE_PASSWORD, login.changePassword());
        } else if (!login.changePassword().isEmpty()) {
            throw new IllegalArgumentException("a password can't be changed before TDS 7.2");
        }
        // The last field with a short offset, because it alone can be longer than 65535 bytes.
        sspi(hasLongForm);
        if (extended) {
            features(featurePointer);
        }
        int length = out.writerIndex() - start;
        if (length > Login7.MAX_LENGTH) {
            throw new IllegalArgumentException("LOGIN7 of " + length + " bytes");
        }
        out.setIntLE(start + Login7Layout.LENGTH, length);
    }

    private void writeFixedPart(boolean extended) {
        int flags3 = login.optionFlags3() & ~Login7.FLAG3_EXTENSION;
        out.writeIntLE(0)
                .writeIntLE(login.tdsVersion())
                .writeIntLE(login.packetSize())
                .writeIntLE(login.clientProgVersion())
                .writeIntLE(login.clientPid())
                .writeIntLE(login.connectionId())
                .writeByte(login.optionFlags1())
                .writeByte(login.optionFlags2())
                .writeByte(login.typeFlags())
                .writeByte(extended ? flags3 | Login7.FLAG3_EXTENSION : flags3)
                .writeIntLE(login.timeZone())
                .writeIntLE(login.lcid());
    }

    private void text(int field, String text) {
        point(field, text.length());
        Ucs2.write(out, text);
    }

    private void password(int field, Secret secret) {
        if (secret.length() % 2 != 0) {
            throw new IllegalArgumentException("a password is made of 16-bit characters");
        }
        point(field, secret.length() / 2);
        byte[] bytes = secret.revealBytes();
        Obfuscation.apply(bytes);
        out.writeBytes(bytes);
        Arrays.fill(bytes, (byte) 0);
    }

    private int extensionPointer() {
        point(Login7Layout.EXTENSION, Integer.BYTES);
        out.writeIntLE(0);
        return out.writerIndex() - Integer.BYTES;
    }

    private void sspi(boolean hasLongForm) {
        int length = login.sspi().length();
        if (length < Login7Layout.LENGTH_IS_LONG) {
            point(Login7Layout.SSPI, length);
        } else if (hasLongForm) {
            point(Login7Layout.SSPI, Login7Layout.LENGTH_IS_LONG);
            out.setIntLE(start + Login7Layout.SSPI_LONG, length);
        } else {
            throw new IllegalArgumentException("SSPI data of " + length + " bytes before TDS 7.2");
        }
        out.writeBytes(login.sspi().revealBytes());
    }

    private void features(int pointer) {
        out.setIntLE(pointer, out.writerIndex() - start);
        for (FeatureExtension feature : login.features()) {
            out.writeByte(feature.id()).writeIntLE(feature.dataLength()).writeBytes(feature.data());
        }
        out.writeByte(FeatureExtension.TERMINATOR);
    }

    /** Points {@code field} at the data that is written next. */
    private void point(int field, int length) {
        int offset = out.writerIndex() - start;
        if (offset > 0xFFFF || length > 0xFFFF) {
            throw new IllegalArgumentException("LOGIN7 field of " + length + " characters at " + offset);
        }
        out.setShortLE(start + field, offset);
        out.setShortLE(start + field + 2, length);
    }
}
