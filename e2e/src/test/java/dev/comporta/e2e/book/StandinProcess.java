package dev.comporta.e2e.book;

import dev.comporta.standin.Standin;

/** The SQL Server that the pages call yours, as a process in a scene's network. */
final class StandinProcess {
    static final String READY = "the server listens";

    private StandinProcess() {}

    /** Address, database, user and password. */
    public static void main(String[] args) throws Exception {
        try (Standin standin = Standin.builder()
                .address(args[0])
                .port(1433)
                .sampleDatabase(args[1])
                .login(args[2], args[3])
                .start()) {
            System.out.println(READY + " on " + standin.port());
            Thread.currentThread().join();
        }
    }
}
