package dev.comporta.standin.engine;

import dev.comporta.standin.engine.EngineSession.Parameter;
import dev.comporta.standin.engine.run.SessionRequests;
import dev.comporta.standin.engine.session.Engine;
import dev.comporta.standin.engine.session.EngineSettings;
import dev.comporta.standin.engine.session.Login;
import dev.comporta.standin.engine.type.Types;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A server with the database shop and the login app, and a session in it. */
public abstract class EngineFixture {
    private int lastSpid = 50;
    protected Engine engine;
    protected EngineSession session;

    protected EngineFixture() {
        this(ServerHabits.SQL_SERVER);
    }

    protected EngineFixture(ServerHabits habits) {
        engine = newEngine(habits);
        session = new SessionRequests(engine.login(Login.of(50, "app", "secret", "")));
    }

    private static Engine newEngine(ServerHabits habits) {
        Engine engine = new Engine(EngineSettings.named("STANDIN").withHabits(habits));
        engine.createDatabase("shop");
        engine.createDatabase("stock");
        engine.createLogin("app", "secret", "shop");
        return engine;
    }

    @AfterEach
    void stop() {
        engine.close();
    }

    protected EngineSession login() {
        return new SessionRequests(engine.login(Login.of(++lastSpid, "app", "secret", "")));
    }

    protected Recording run(String sql) {
        return run(session, sql);
    }

    protected static Recording run(EngineSession session, String sql) {
        Recording recording = new Recording();
        session.batch(sql, recording);
        return recording;
    }

    protected List<String> events(String sql) {
        return run(sql).events();
    }

    /** The rows alone, each as a line; fails on errors. */
    protected List<String> rows(String sql) {
        return rows(session, sql);
    }

    protected static List<String> rows(EngineSession session, String sql) {
        Recording recording = run(session, sql);
        if (!recording.errors().isEmpty()) {
            throw new AssertionError(recording.events());
        }
        return recording.rowLines();
    }

    /** The one value of the one row. */
    protected String value(String sql) {
        List<String> rows = rows(sql);
        if (rows.size() != 1) {
            throw new AssertionError(rows);
        }
        return rows.getFirst();
    }

    protected List<String> errors(String sql) {
        return run(sql).errors();
    }

    protected Recording call(String procedure, Parameter... parameters) {
        Recording recording = new Recording();
        session.call(procedure, Arrays.asList(parameters), recording);
        return recording;
    }

    protected static Parameter text(String value) {
        return new Parameter("", Types.nvarchar(4000), value, false, false);
    }

    protected static Parameter number(int value) {
        return new Parameter("", Types.INT, value, false, false);
    }

    protected static Parameter output(SqlType type) {
        return new Parameter("", type, null, true, false);
    }

    protected static Parameter named(String name, Parameter parameter) {
        return new Parameter(name, parameter.type(), parameter.value(), parameter.output(), parameter.useDefault());
    }
}
