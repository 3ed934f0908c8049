package dev.comporta.e2e.crosstalk;

import dev.comporta.testkit.crosstalk.DriverSession;
import java.util.List;
import java.util.stream.Collectors;

/** A session that a program in another language holds. */
record ProgramSession(ClientProgram program, int client) implements DriverSession {
    @Override
    public void connect() throws Exception {
        program.order(client, "connect");
    }

    @Override
    public String ask(String sql) throws Exception {
        return program.order(client, "ask", sql);
    }

    @Override
    public String askPrepared(String sql, List<Integer> values) throws Exception {
        return program.order(
                client, "prepared", sql, values.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }

    @Override
    public String askAndCancel(String sql, int afterMillis) throws Exception {
        return program.order(client, "cancel", sql, "" + afterMillis);
    }

    @Override
    public void begin() throws Exception {
        program.order(client, "begin");
    }

    @Override
    public void commit() throws Exception {
        program.order(client, "commit");
    }

    @Override
    public void rollback() throws Exception {
        program.order(client, "rollback");
    }

    @Override
    public void reset() throws Exception {
        program.order(client, "reset");
    }

    @Override
    public void die() throws Exception {
        program.order(client, "die");
    }

    @Override
    public void close() throws Exception {
        program.order(client, "close");
    }
}
