package dev.comporta.tds.login;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import java.util.List;

/** Builds a {@link Login7}, starting from what a present-day driver would send or from another login. */
public final class Login7Builder {
    private int tdsVersion = TdsVersion.V7_4.wireValue();
    private int packetSize = PacketHeader.DEFAULT_PACKET_SIZE;
    private int clientProgVersion = 0;
    private int clientPid = 0;
    private int connectionId = 0;
    private int optionFlags1 = Login7.FLAG1_USE_DB | Login7.FLAG1_DATABASE_FATAL | Login7.FLAG1_SET_LANG;
    private int optionFlags2 = Login7.FLAG2_LANGUAGE_FATAL | Login7.FLAG2_ODBC;
    private int typeFlags = 0;
    private int optionFlags3 = 0;
    private int timeZone = 0;
    private int lcid = 0x0409;
    private String hostName = "";
    private String userName = "";
    private Secret password = Secret.EMPTY;
    private String appName = "";
    private String serverName = "";
    private String interfaceName = "";
    private String language = "";
    private String database = "";
    private long clientId = 0;
    private Secret sspi = Secret.EMPTY;
    private String attachDbFile = "";
    private Secret changePassword = Secret.EMPTY;
    private List<FeatureExtension> features = List.of();

    public Login7Builder() {}

    Login7Builder(Login7 login) {
        tdsVersion = login.tdsVersion();
        packetSize = login.packetSize();
        clientProgVersion = login.clientProgVersion();
        clientPid = login.clientPid();
        connectionId = login.connectionId();
        optionFlags1 = login.optionFlags1();
        optionFlags2 = login.optionFlags2();
        typeFlags = login.typeFlags();
        optionFlags3 = login.optionFlags3();
        timeZone = login.timeZone();
        lcid = login.lcid();
        hostName = login.hostName();
        userName = login.userName();
        password = login.password();
        appName = login.appName();
        serverName = login.serverName();
        interfaceName = login.interfaceName();
        language = login.language();
        database = login.database();
        clientId = login.clientId();
        sspi = login.sspi();
        attachDbFile = login.attachDbFile();
        changePassword = login.changePassword();
        features = login.features();
    }

    public Login7Builder tdsVersion(int tdsVersion) {
        this.tdsVersion = tdsVersion;
        return this;
    }

    public Login7Builder packetSize(int packetSize) {
        this.packetSize = packetSize;
        return this;
    }

    public Login7Builder clientProgVersion(int clientProgVersion) {
        this.clientProgVersion = clientProgVersion;
        return this;
    }

    public Login7Builder clientPid(int clientPid) {
        this.clientPid = clientPid;
        return this;
    }

    public Login7Builder connectionId(int connectionId) {
        this.connectionId = connectionId;
        return this;
    }

    public Login7Builder optionFlags1(int optionFlags1) {
        this.optionFlags1 = optionFlags1;
        return this;
    }

    public Login7Builder optionFlags2(int optionFlags2) {
        this.optionFlags2 = optionFlags2;
        return this;
    }

    public Login7Builder typeFlags(int typeFlags) {
        this.typeFlags = typeFlags;
        return this;
    }

    public Login7Builder optionFlags3(int optionFlags3) {
        this.optionFlags3 = optionFlags3;
        return this;
    }

    public Login7Builder timeZone(int timeZone) {
        this.timeZone = timeZone;
        return this;
    }

    public Login7Builder lcid(int lcid) {
        this.lcid = lcid;
        return this;
    }

    public Login7Builder hostName(String hostName) {
        this.hostName = hostName;
        return this;
    }

    public Login7Builder userName(String userName) {
        this.userName = userName;
        return this;
    }

    public Login7Builder password(Secret password) {
        this.password = password;
        return this;
    }

    public Login7Builder appName(String appName) {
        this.appName = appName;
        return this;
    }

    public Login7Builder serverName(String serverName) {
        this.serverName = serverName;
        return this;
    }

    public Login7Builder interfaceName(String interfaceName) {
        this.interfaceName = interfaceName;
        return this;
    }

    public Login7Builder language(String language) {
        this.language = language;
        return this;
    }

    public Login7Builder database(String database) {
        this.database = database;
        return this;
    }

    public Login7Builder clientId(long clientId) {
        this.clientId = clientId;
        return this;
    }

    public Login7Builder sspi(Secret sspi) {
        this.sspi = sspi;
        return this;
    }

    public Login7Builder attachDbFile(String attachDbFile) {
        this.attachDbFile = attachDbFile;
        return this;
    }

    public Login7Builder changePassword(Secret changePassword) {
        this.changePassword = changePassword;
        return this;
    }

    public Login7Builder features(List<FeatureExtension> features) {
        this.features = features;
        return this;
    }

    public Login7 build() {
        return new Login7(
                tdsVersion,
                packetSize,
                clientProgVersion,
                clientPid,
                connectionId,
                optionFlags1,
                optionFlags2,
                typeFlags,
                optionFlags3,
                timeZone,
                lcid,
                hostName,
                userName,
                password,
                appName,
                serverName,
                interfaceName,
                language,
                database,
                clientId,
                sspi,
                attachDbFile,
                changePassword,
                features);
    }
}
