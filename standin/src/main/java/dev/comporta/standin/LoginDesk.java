package dev.comporta.standin;

import dev.comporta.standin.engine.EngineSession;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.run.Engine;
import dev.comporta.standin.engine.run.Login;
import dev.comporta.standin.wire.Doorman;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Login7;
import java.util.List;

/** Lets in whom the engine knows, and tells the others no more than SQL Server would. */
final class LoginDesk implements Doorman {
    private static final int LOGIN_FAILED = 18456;
    private static final int LOGIN_FAILED_UNTRUSTED = 18452;
    private static final int CANNOT_OPEN_DATABASE = 4060;
    private static final int SEVERITY_LOGIN = 14;

    private final Engine engine;

    LoginDesk(Engine engine) {
        this.engine = engine;
    }

    @Override
    public EngineSession admit(Login7 login, int spid) throws Refused {
        if (login.feature(FeatureExtension.FEDAUTH) != null) {
            throw new Refused(List.of(message(
                    LOGIN_FAILED, "Login failed: the stand-in has no federated authentication. Use a SQL login.")));
        }
        if (login.isIntegrated()) {
            throw new Refused(List.of(message(
                    LOGIN_FAILED_UNTRUSTED,
                    "Login failed: the stand-in has no Windows authentication. Use a SQL login.")));
        }
        if ((login.optionFlags3() & Login7.FLAG3_CHANGE_PASSWORD) != 0) {
            throw new Refused(
                    List.of(message(LOGIN_FAILED, "Login failed: the stand-in's passwords can't be changed.")));
        }
        try {
            return engine.login(new Login(
                    spid,
                    login.userName(),
                    login.password().revealText(),
                    login.database(),
                    login.hostName(),
                    login.appName(),
                    login.interfaceName(),
                    login.language(),
                    login.clientPid(),
                    (login.optionFlags2() & Login7.FLAG2_ODBC) != 0));
        } catch (SqlError e) {
            throw refused(e, login.userName());
        }
    }

    /** Why a login failed is the server's secret: the state says it in the server's log, and is always 1 to clients. */
    private static Refused refused(SqlError error, String user) {
        Message failed = message(LOGIN_FAILED, "Login failed for user '" + user + "'.");
        if (error.number() != CANNOT_OPEN_DATABASE) {
            return new Refused(List.of(failed));
        }
        Message database =
                new Message(CANNOT_OPEN_DATABASE, 1, error.severity(), String.valueOf(error.getMessage()), "", 1);
        return new Refused(List.of(database, failed));
    }

    private static Message message(int number, String text) {
        return new Message(number, 1, SEVERITY_LOGIN, text, "", 1);
    }
}
