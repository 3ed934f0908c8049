package dev.comporta.app;

import dev.comporta.standin.Misbehaviour;
import dev.comporta.standin.Standin;
import java.io.IOException;
import java.net.BindException;

/** What {@code comporta demo} runs: the embedded stand-in with a sample database, and how to connect to it. */
final class Demo implements AutoCloseable {
    static final String DATABASE = "Shop";
    static final String USER = "sa";
    static final String PASSWORD = "Comporta-2026";

    /** Beyond this many taken ports something else is wrong, and saying so helps more than trying on. */
    private static final int PORTS_TRIED = 100;

    private final Standin standin;
    private final int wantedPort;

    private Demo(Standin standin, int wantedPort) {
        this.standin = standin;
        this.wantedPort = wantedPort;
    }

    /** On the port, or the next that is free. */
    static Demo start(int port, Misbehaviour misbehaviour) throws IOException {
        for (int tried = port; ; tried++) {
            try {
                Standin standin = Standin.builder()
                        .port(tried)
                        .sampleDatabase(DATABASE)
                        .login(USER, PASSWORD)
                        .misbehaviour(misbehaviour)
                        .start();
                return new Demo(standin, port);
            } catch (IOException e) {
                boolean taken = e instanceof BindException || e.getCause() instanceof BindException;
                if (!taken || port == 0 || tried == port + PORTS_TRIED) {
                    throw e;
                }
            }
        }
    }

    int port() {
        return standin.port();
    }

    /** For people, to copy and paste from. */
    String description() {
        String moved = wantedPort == 0 || wantedPort == port()
                ? ""
                : "Port %d is taken, so it is %d instead.%n".formatted(wantedPort, port());
        return moved + """
                An embedded SQL Server stand-in listens on 127.0.0.1, port %1$d.

                  database  %2$s      with tables customers and orders, and procedure orders_of
                  login     %3$s
                  password  %4$s

                Connect with any SQL Server client:

                  sqlcmd -S 127.0.0.1,%1$d -U %3$s -P %4$s -d %2$s -C -Q "SELECT TOP 3 * FROM customers"
                  tsql -H 127.0.0.1 -p %1$d -U %3$s -P %4$s -D %2$s
                  jdbc:sqlserver://127.0.0.1:%1$d;databaseName=%2$s;user=%3$s;password=%4$s;trustServerCertificate=true

                It is made for tests and demonstrations, keeps everything in memory, and is no database to trust
                data to. Ctrl-C ends it.
                """.formatted(port(), DATABASE, USER, PASSWORD);
    }

    @Override
    public void close() {
        standin.close();
    }
}
