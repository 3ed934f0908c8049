package dev.comporta.jdbc.db;

import com.microsoft.sqlserver.jdbc.ISQLServerConnection;
import dev.comporta.standin.Standin;
import dev.comporta.standin.control.Misbehaviour;
import java.io.IOException;

/** The embedded SQL Server stand-in, through Microsoft's driver. */
public final class StandinDatabase implements TestDatabase {
    private final Standin server;
    private long resetsBefore;

    public StandinDatabase() throws IOException {
        server = Standin.builder().database("AppDB").login("sa", "secret").start();
    }

    public void misbehave(Misbehaviour how) throws IOException {
        server.misbehave(how);
    }

    @Override
    public String url() {
        return "jdbc:sqlserver://127.0.0.1:" + server.port()
                + ";databaseName=AppDB;encrypt=false;trustServerCertificate=true";
    }

    @Override
    public String user() {
        return "sa";
    }

    @Override
    public String password() {
        return "secret";
    }

    @Override
    public String sessionId() {
        return "SELECT @@SPID";
    }

    @Override
    public void kill(String sessionId) {
        server.kill(Integer.parseInt(sessionId));
    }

    @Override
    public int sessions() {
        return server.counters().sessionsOpen();
    }

    /** Sessions that it has reset, since the last time that was asked. */
    public long resets() {
        long now = server.counters().resets();
        long since = now - resetsBefore;
        resetsBefore = now;
        return since;
    }

    @Override
    public Class<?> driversOwn() {
        return ISQLServerConnection.class;
    }

    @Override
    public String slow() {
        return "WAITFOR DELAY '00:00:01'";
    }

    @Override
    public String rejection() {
        return "Login failed for user";
    }

    @Override
    public String leave() {
        return "SET LOCK_TIMEOUT 4711";
    }

    @Override
    public String begin() {
        return "BEGIN TRANSACTION";
    }

    @Override
    public String isLeft() {
        return "SELECT CASE WHEN @@LOCK_TIMEOUT = 4711 THEN 'left' ELSE 'gone' END";
    }

    @Override
    public void stop() {
        server.close();
    }
}
