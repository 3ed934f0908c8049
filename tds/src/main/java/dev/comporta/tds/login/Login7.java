package dev.comporta.tds.login;

import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client tells of itself and asks of the session: every field of LOGIN7, as it stands on the wire. Safe to log:
 * what is secret does not show.
 *
 * @param tdsVersion as the client asked for it; {@link TdsVersion#negotiate} makes sense of it
 * @param packetSize as asked for; 0 leaves it to the server
 * @param clientId six bytes, the client's network address as a rule, in the order of the wire from the highest byte on
 * @param sspi what a Windows login begins with
 * @param changePassword the new password, where the login is to change it
 * @param features in the order of the wire
 */
public record Login7(
        int tdsVersion,
        int packetSize,
        int clientProgVersion,
        int clientPid,
        int connectionId,
        int optionFlags1,
        int optionFlags2,
        int typeFlags,
        int optionFlags3,
        int timeZone,
        int lcid,
        String hostName,
        String userName,
        Secret password,
        String appName,
        String serverName,
        String interfaceName,
        String language,
        String database,
        long clientId,
        Secret sspi,
        String attachDbFile,
        Secret changePassword,
        List<FeatureExtension> features) {

    /** By the specification, 128K - 1. */
    public static final int MAX_LENGTH = 128 * 1024 - 1;

    /** OptionFlags1: the login fails when the database can't be used. */
    public static final int FLAG1_DATABASE_FATAL = 0x40;

    /** OptionFlags1: tell of a change of database. */
    public static final int FLAG1_USE_DB = 0x20;

    /** OptionFlags1: tell of a change of language. */
    public static final int FLAG1_SET_LANG = 0x80;

    /** OptionFlags2: the login fails when the language can't be used. */
    public static final int FLAG2_LANGUAGE_FATAL = 0x01;

    /** OptionFlags2: SET options are to be as ODBC wants them. */
    public static final int FLAG2_ODBC = 0x02;

    /** OptionFlags2: a Windows login. */
    public static final int FLAG2_INTEGRATED_SECURITY = 0x80;

    /** TypeFlags: SET options are to be as OLE DB wants them. */
    public static final int TYPE_OLEDB = 0x10;

    /** TypeFlags: the session will only read, so a replica may serve it. */
    public static final int TYPE_READ_ONLY_INTENT = 0x20;

    /** OptionFlags3: the login changes the password to {@link #changePassword}. */
    public static final int FLAG3_CHANGE_PASSWORD = 0x01;

    public static final int FLAG3_USER_INSTANCE = 0x02;
    public static final int FLAG3_SEND_YUKON_BINARY_XML = 0x04;
    public static final int FLAG3_UNKNOWN_COLLATION_HANDLING = 0x08;

    /** OptionFlags3: {@link #features} follow. Set and cleared by the writer. */
    public static final int FLAG3_EXTENSION = 0x10;

    public Login7 {
        features = List.copyOf(features);
    }

    /** Borrows the body of a whole LOGIN7 message, whose indexes it leaves alone. */
    public static Login7 read(ByteBuf body) {
        return new Login7Reader(body).read();
    }

    /** Appends the body of the message, password and all. */
    public void write(ByteBuf out) {
        new Login7Writer(this, out).write();
    }

    public TdsVersion negotiatedVersion() {
        return TdsVersion.negotiate(tdsVersion);
    }

    public boolean isReadOnly() {
        return (typeFlags & TYPE_READ_ONLY_INTENT) != 0;
    }

    /** Whether the login is proved by something other than a user name and a password: Windows or Entra authentication. */
    public boolean isIntegrated() {
        return (optionFlags2 & FLAG2_INTEGRATED_SECURITY) != 0 || feature(FeatureExtension.FEDAUTH) != null;
    }

    public @Nullable FeatureExtension feature(int id) {
        for (FeatureExtension feature : features) {
            if (feature.id() == id) {
                return feature;
            }
        }
        return null;
    }

    public LoginProfile profile() {
        return LoginProfile.of(this);
    }

    /** A builder that begins with these values. */
    public Login7Builder toBuilder() {
        return new Login7Builder(this);
    }

    /** Overwrites what is secret. */
    public void wipeSecrets() {
        password.wipe();
        changePassword.wipe();
        sspi.wipe();
        for (FeatureExtension feature : features) {
            if (feature.id() == FeatureExtension.FEDAUTH) {
                feature.wipe();
            }
        }
    }
}
