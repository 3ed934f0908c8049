package dev.comporta.standin;

import dev.comporta.standin.engine.EngineSession;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.run.SessionRequests;
import dev.comporta.standin.engine.session.Engine;
import dev.comporta.standin.engine.session.Login;
import dev.comporta.standin.negotiate.EntraToken;
import dev.comporta.standin.negotiate.NtlmChallenge;
import dev.comporta.standin.wire.Doorman;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Authenticates clients with the engine's logins, and reveals no more about a refusal than SQL Server would. */
final class LoginDesk implements Doorman {
    private static final int LOGIN_FAILED = 18456;
    private static final int LOGIN_FAILED_UNTRUSTED = 18452;
    private static final int CANNOT_OPEN_DATABASE = 4060;
    private static final int SEVERITY_LOGIN = 14;

    private static final String TOKENS_ARE_AT = "https://login.standin.invalid/common";
    private static final String NAME_THERE = "https://standin.invalid/";

    private final Engine engine;
    private final String serverName;
    private final Map<String, String> windowsPasswords = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, String> usersByToken = new HashMap<>();

    LoginDesk(Engine engine, String serverName) {
        this.engine = engine;
        this.serverName = serverName;
    }

    /** Call before the first client connects. */
    void addWindowsLogin(String account, String password) {
        windowsPasswords.put(account, password);
    }

    /** Call before the first client connects. */
    void addAccessToken(String token, String user) {
        usersByToken.put(token, user);
    }

    @Override
    public EngineSession admit(Login7 login, int spid) throws Refused {
        FeatureExtension entra = login.feature(FeatureExtension.FEDAUTH);
        if (entra != null) {
            return admitToken(login, EntraToken.inLogin(entra.data()), spid);
        }
        if ((login.optionFlags3() & Login7.FLAG3_CHANGE_PASSWORD) != 0) {
            throw refused(LOGIN_FAILED, "Login failed: the stand-in's passwords can't be changed.");
        }
        return admit(login, login.userName(), login.password().revealText(), spid);
    }

    @Override
    public @Nullable Negotiation negotiate(Login7 login) throws Refused {
        FeatureExtension entra = login.feature(FeatureExtension.FEDAUTH);
        if (entra != null) {
            return negotiateToken(login, entra.data());
        }
        if (!login.isIntegrated()) {
            return null;
        }
        if (windowsPasswords.isEmpty()) {
            throw refused(
                    LOGIN_FAILED_UNTRUSTED,
                    "Login failed: the stand-in has no Windows authentication. Use a SQL login.");
        }
        if (!NtlmChallenge.isBegun(login.sspi().revealBytes())) {
            throw refused(LOGIN_FAILED_UNTRUSTED, "Login failed: the stand-in speaks NTLM and no Kerberos.");
        }
        return new Windows(login);
    }

    private @Nullable Negotiation negotiateToken(Login7 login, byte[] data) throws Refused {
        boolean required = !usersByToken.isEmpty();
        if (!required || EntraToken.echo(data) != required) {
            throw refused(
                    LOGIN_FAILED,
                    required
                            ? "Login failed: the login does not repeat PRELOGIN's answer about federated authentication."
                            : "Login failed: the stand-in has no federated authentication. Use a SQL login.");
        }
        if (EntraToken.isInLogin(data)) {
            return null;
        }
        if (!EntraToken.isToFollow(data)) {
            throw refused(LOGIN_FAILED, "Login failed: the stand-in knows no such token.");
        }
        return new Entra(login);
    }

    private final class Windows implements Negotiation {
        private final Login7 login;
        private final NtlmChallenge challenge = new NtlmChallenge("STANDIN-DOMAIN", serverName);

        Windows(Login7 login) {
            this.login = login;
        }

        @Override
        public void ask(TokenWriter tokens, ByteBuf out) {
            tokens.sspi(out, challenge.message());
        }

        @Override
        public int answerType() {
            return PacketType.SSPI;
        }

        @Override
        public EngineSession admit(byte[] answer, int spid) throws Refused {
            String account = challenge.judge(answer, windowsPasswords::get);
            String password = account == null ? null : windowsPasswords.get(account);
            if (account == null || password == null) {
                throw refused(LOGIN_FAILED, "Login failed for user ''.");
            }
            return LoginDesk.this.admit(login, account, password, spid);
        }
    }

    private final class Entra implements Negotiation {
        private final Login7 login;

        Entra(Login7 login) {
            this.login = login;
        }

        @Override
        public void ask(TokenWriter tokens, ByteBuf out) {
            tokens.fedAuthInfo(out, TOKENS_ARE_AT, NAME_THERE);
        }

        @Override
        public int answerType() {
            return PacketType.FEDAUTH_TOKEN;
        }

        @Override
        public EngineSession admit(byte[] answer, int spid) throws Refused {
            return admitToken(login, EntraToken.inMessage(answer), spid);
        }
    }

    private EngineSession admitToken(Login7 login, String token, int spid) throws Refused {
        String user = usersByToken.get(token);
        if (user == null) {
            throw refused(LOGIN_FAILED, "Login failed for user '<token-identified principal>'.");
        }
        return admit(login, user, token, spid);
    }

    private EngineSession admit(Login7 login, String user, String password, int spid) throws Refused {
        try {
            return new SessionRequests(engine.login(new Login(
                    spid,
                    user,
                    password,
                    login.database(),
                    login.hostName(),
                    login.appName(),
                    login.interfaceName(),
                    login.language(),
                    login.clientPid(),
                    (login.optionFlags2() & Login7.FLAG2_ODBC) != 0)));
        } catch (SqlError e) {
            throw refused(e, user);
        }
    }

    /** The reason of a failed login is secret: the server's log has its state, and clients always receive state 1. */
    private static Refused refused(SqlError error, String user) {
        Message failed = message(LOGIN_FAILED, "Login failed for user '" + user + "'.");
        if (error.number() != CANNOT_OPEN_DATABASE) {
            return new Refused(List.of(failed));
        }
        Message database =
                new Message(CANNOT_OPEN_DATABASE, 1, error.severity(), String.valueOf(error.getMessage()), "", 1);
        return new Refused(List.of(database, failed));
    }

    private static Refused refused(int number, String text) {
        return new Refused(List.of(message(number, text)));
    }

    private static Message message(int number, String text) {
        return new Message(number, 1, SEVERITY_LOGIN, text, "", 1);
    }
}
