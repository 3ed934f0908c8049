package dev.comporta.bench;

import dev.comporta.bench.fleet.FleetBenchmark;
import dev.comporta.bench.jdbc.BorrowBenchmark;
import dev.comporta.bench.jdbc.JdbcBenchmark;
import dev.comporta.bench.load.IdleClients;
import dev.comporta.bench.load.Peers;
import dev.comporta.bench.load.PollersBenchmark;
import dev.comporta.bench.load.PreparedBenchmark;
import dev.comporta.bench.pool.PoolBenchmark;
import dev.comporta.bench.sql.SqlScannerBenchmark;
import dev.comporta.bench.start.StartBenchmark;
import dev.comporta.bench.token.TokenWalkerBenchmark;
import java.util.Arrays;

/** Runs a benchmark by its name; the further arguments are passed to it. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            usage();
            return;
        }
        String[] rest = Arrays.copyOfRange(args, 1, args.length);
        switch (args[0]) {
            case "walker" -> Jmh.run(TokenWalkerBenchmark.class, rest);
            case "scanner" -> Jmh.run(SqlScannerBenchmark.class, rest);
            case "pool" -> Jmh.run(PoolBenchmark.class, rest);
            case "jdbc" -> jdbc(rest);
            case "proxy" -> Peers.main(rest);
            case "prepared" -> PreparedBenchmark.main(rest);
            case "pollers" -> PollersBenchmark.main(rest);
            case "clients" -> IdleClients.main(rest);
            case "start" -> StartBenchmark.main(rest);
            case "fleet" -> FleetBenchmark.main(rest);
            case "simulate" -> dev.comporta.pool.sim.Main.main(rest);
            default -> usage();
        }
    }

    private static void jdbc(String[] args) throws Exception {
        if (!JdbcBenchmark.run(args)) {
            Jmh.run(BorrowBenchmark.class.getPackage(), args);
        }
    }

    private static void usage() {
        System.err.println("""
                Usage: bench NAME [OPTIONS]

                  walker   walking the tokens of responses: bytes per second, time per response, allocation
                           (JMH; takes its options, such as -f 3 or -h)
                  scanner  reading the T-SQL text of requests: the same figures (JMH)
                  pool     acquiring and releasing a server connection, idle and with long queues (JMH)
                  jdbc     the JDBC pool and HikariCP, Agroal, Vibur, Tomcat JDBC, DBCP2 and c3p0, over a driver of
                           stubs: borrowing and returning by 1, 2, 8 and 32 threads, pools of 32 and of 4, and statements
                           (JMH; -p pool=COMPORTA,HIKARI chooses pools)
                  jdbc turns     loans and statements, in turns with HikariCP, for a busy machine (turns, 20)
                  jdbc waits     1,000 virtual threads on 10 connections: waits and order of service (seconds, 10;
                           pools, all)
                  jdbc spike     50 threads at once on 5 connections, connects of 150 ms (rounds, 5)
                  jdbc connects  connects per second at the server, of 20 instances: start, end of lifetimes, restart
                           (COMPORTA,HIKARI for these two pools; all)
                  proxy    requests per second, latency and CPU: direct, HAProxy and Comporta in turns
                           (rounds, 8; another built checkout to compare with this one)
                  prepared prepared statements and plain batches, 200 clients on 5 server connections and 4,000 on 50:
                           requests per second, CPU, and how often the server prepared (seconds for each way, 20)
                  clients  thousands of mostly idle clients: memory for each, plain and TLS, and their waits
                           (clients, 5000, and for how many seconds they send requests, 10)
                  pollers  200 clients with and without ten pollers of the console, the API, /metrics and /health, in turns:
                           requests per second and latency (seconds for each, 20; milliseconds between polls of one poller,
                           1000; a client's pause in milliseconds, 20; clients, 200; "together" for simultaneous polls)
                  fleet    slots that move between instances through Redis: latency, and load on Redis
                  start    from the start of an unpacked distribution to the answer to PRELOGIN, with one bucket and with 120,
                           with and without the AOT cache (the distribution, which ./comporta makes, and the number of starts, 9)
                  simulate a fleet of tenants in virtual time: utilisation, waits, refusals (--help tells more)
                """);
        System.exit(2);
    }
}
