package dev.comporta.e2e.crosstalk;

import dev.comporta.e2e.Target;
import dev.comporta.testkit.crosstalk.DriverSession;
import dev.comporta.testkit.crosstalk.JdbcSession;
import dev.comporta.testkit.crosstalk.Picture;
import dev.comporta.testkit.crosstalk.Stranger;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Clients of five kinds, each with what its sessions look like when they are new. */
final class Crowd implements AutoCloseable {
    /** Makes the session of a client. */
    @FunctionalInterface
    private interface Seat {
        DriverSession of(int client);
    }

    private final List<Stranger> strangers = new ArrayList<>();
    private final List<ClientProgram> programs = new ArrayList<>();
    private final Target server;
    private final Target proxied;
    private final long seed;

    private Crowd(Target server, Target proxied, long seed) {
        this.server = server;
        this.proxied = proxied;
        this.seed = seed;
    }

    /**
     * Of every hundred clients 40 are of mssql-jdbc, half of them encrypted, 30 of jTDS, 20 of tedious, 10 of python-tds.
     *
     * @param server where they see what a new session looks like
     * @param proxied where they live
     */
    static Crowd gather(Target server, Target proxied, int clients, long seed) throws Exception {
        Crowd crowd = new Crowd(server, proxied, seed);
        try {
            crowd.add("mssql-jdbc", clients / 5, target -> client -> JdbcSession.mssql(target.port(), false));
            crowd.add("mssql-jdbc, TLS", clients / 5, target -> client -> JdbcSession.mssql(target.port(), true));
            crowd.add("jTDS", clients * 3 / 10, target -> client -> JdbcSession.jtds(target.port()));
            crowd.add("tedious", clients / 5, target -> crowd.seats(ClientProgram.tedious(target)));
            crowd.add("python-tds", clients / 10, target -> crowd.seats(ClientProgram.pythonTds(target)));
            return crowd;
        } catch (Exception | AssertionError e) {
            crowd.close();
            throw e;
        }
    }

    /** How a driver's clients get their sessions at a target. */
    @FunctionalInterface
    private interface Seats {
        Seat at(Target target) throws Exception;
    }

    private Seat seats(ClientProgram program) {
        programs.add(program);
        return client -> new ProgramSession(program, client);
    }

    private void add(String driver, int clients, Seats seats) throws Exception {
        Picture asLoggedIn = Picture.of(seats.at(server).of(strangers.size()));
        Seat through = seats.at(proxied);
        for (int i = 0; i < clients; i++) {
            int id = strangers.size();
            strangers.add(new Stranger(id, driver, seed + id, through.of(id), asLoggedIn));
        }
    }

    List<Stranger> strangers() {
        return strangers;
    }

    @Override
    public void close() throws IOException {
        for (ClientProgram program : programs) {
            program.close();
        }
    }
}
