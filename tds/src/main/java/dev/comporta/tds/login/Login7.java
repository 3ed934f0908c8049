package dev.comporta.tds.login;

import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's login: every field of LOGIN7, with the values of the wire. Safe to log: {@code toString} shows no secrets.
 *
 * @param tdsVersion the requested version; {@link TdsVersion#negotiate} interprets it
 * @param packetSize the requested size; 0 leaves it to the server
 * @param clientId six bytes, usually the client's network address, highest byte first as on the wire
 * @param sspi the first message of a Windows login
 * @param changePassword the new password, if the login is to change it
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

    /** The specification's limit: 128K - 1. */
    public static final int MAX_LENGTH = 128 * 1024 - 1;

    /** OptionFlags1: the login fails when the database can't be used. */
    public static final int FLAG1_DATABASE_FATAL = 0x40;

    /** OptionFlags1: report a change of database. */
    public static final int FLAG1_USE_DB = 0x20;

    /** OptionFlags1: report a change of language. */
    public static final int FLAG1_SET_LANG = 0x80;

    /** OptionFlags2: the login fails when the language can't be used. */
    public static final int FLAG2_LANGUAGE_FATAL = 0x01;

    /** OptionFlags2: set the SET options that ODBC requires. */
    public static final int FLAG2_ODBC = 0x02;

    /** OptionFlags2: a Windows login. */
    public static final int FLAG2_INTEGRATED_SECURITY = 0x80;

    /** TypeFlags: set the SET options that OLE DB requires. */
    public static final int TYPE_OLEDB = 0x10;

    /** TypeFlags: the session only reads, so a replica may serve it. */
    public static final int TYPE_READ_ONLY_INTENT = 0x20;

    /** OptionFlags3: the login changes the password to {@link #changePassword}. */
    public static final int FLAG3_CHANGE_PASSWORD = 0x01;

    public static final int FLAG3_USER_INSTANCE = 0x02;
    public static final int FLAG3_SEND_YUKON_BINARY_XML = 0x04;
    public static final int FLAG3_UNKNOWN_COLLATION_HANDLING = 0x08;

    /** OptionFlags3: {@link #features} follow. Set and cleared by {@link #write}. */
    public static final int FLAG3_EXTENSION = 0x10;

    public Login7 {
        features = List.copyOf(features);
    }

    /** Borrows the body of a whole LOGIN7 message, and does not change its indexes. */
    public static Login7 read(ByteBuf body) {
        return new Login7Reader(body).read();
    }

    /** Appends the body of the message, including the password. */
    public void write(ByteBuf out) {
        new Login7Writer(this, out).write();
    }

    public TdsVersion negotiatedVersion() {
        return TdsVersion.negotiate(tdsVersion);
    }

    public boolean isReadOnly() {
        return (typeFlags & TYPE_READ_ONLY_INTENT) != 0;
    }

    /** Whether something other than a user name and a password authenticates: Windows or Entra authentication. */
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

    /** Overwrites the secrets with zeros. */
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
