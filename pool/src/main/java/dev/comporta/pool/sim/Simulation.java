package dev.comporta.pool.sim;

import dev.comporta.pool.Bucket;
import dev.comporta.pool.Orders;
import dev.comporta.pool.Pool;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.SessionDistance;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.lease.LocalLeases;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.state.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Runs a {@link Scenario}. One thread, no clock: as fast as the machine is. */
public final class Simulation implements Orders {
    private static final double NANOS_PER_MINUTE = 60e9;
    /** A network round trip: the time that a refusal, a close, a check or a reset takes. */
    private static final long ROUND_TRIP = 500_000;

    private final Scenario scenario;
    private final SplittableRandom random;
    private final EventQueue queue = new EventQueue();
    private final List<Server> servers = new ArrayList<>();
    private long now;
    private long events;

    private Simulation(Scenario scenario) {
        this.scenario = scenario;
        random = new SplittableRandom(scenario.seed());
        for (int i = 0; i < scenario.buckets(); i++) {
            servers.add(newServer(i));
        }
        for (int i = 0; i < scenario.tenants(); i++) {
            Server server = servers.get(i % servers.size());
            Pool pool = server.pools.get(i / servers.size() % server.pools.size());
            Tenant tenant = new Tenant(server, pool);
            server.tenants.add(tenant);
            queue.add(thinkTime(), EventQueue.Kind.CALL, tenant);
        }
        planBursts();
        planOutage();
    }

    /** Simulates it from beginning to end. */
    public static SimulationResult run(Scenario scenario) {
        Simulation simulation = new Simulation(scenario);
        simulation.run();
        return SimulationResult.of(scenario, simulation.servers, simulation.events);
    }

    private Server newServer(int i) {
        Bucket bucket = new Bucket(
                "bucket-" + (i + 1),
                scenario.bucket(),
                this,
                new LocalLeases(),
                random.split(),
                SessionDistance.EQUAL_OR_NOT,
                0);
        Server server = new Server(bucket, i);
        for (int p = 0; p < scenario.poolsPerBucket(); p++) {
            server.pools.add(bucket.pool(new PoolKey(server, p), "login-" + p));
        }
        return server;
    }

    /** A pool's name leads back to its server. */
    private record PoolKey(Server server, int login) {}

    private void planBursts() {
        long every = scenario.bursts().every().toNanos();
        for (Server server : servers) {
            if (every > 0) {
                queue.add(random.nextLong(every), EventQueue.Kind.BURST, server);
            }
        }
    }

    private void planOutage() {
        Scenario.Outage outage = scenario.outage();
        if (outage.bucket() >= 0 && outage.bucket() < servers.size()) {
            Server server = servers.get(outage.bucket());
            long from = outage.from().toNanos();
            queue.add(from, EventQueue.Kind.DEATH, server);
            queue.add(from + outage.length().toNanos(), EventQueue.Kind.RETURN, server);
        }
    }

    private void run() {
        long end = scenario.duration().toNanos();
        while (!queue.isEmpty() && queue.nextTime() <= end) {
            now = queue.nextTime();
            EventQueue.Kind kind = queue.nextKind();
            Object subject = queue.nextSubject();
            queue.removeNext();
            events++;
            planTick(happen(kind, subject));
        }
    }

    /** Carries out an event, and returns the server that it concerned. */
    private Server happen(EventQueue.Kind kind, Object subject) {
        return switch (kind) {
            case CALL -> call((Tenant) subject, true);
            case BURST_CALL -> call((Tenant) subject, false);
            case ANSWER -> answer((ServerConnection) subject);
            case OPENED -> opened((ServerConnection) subject);
            case CLOSED -> closed((ServerConnection) subject);
            case CHECKED -> checked((ServerConnection) subject);
            case TICK -> tick((Server) subject);
            case BURST -> burst((Server) subject);
            case DEATH -> die((Server) subject);
            case RETURN -> returned((Server) subject);
        };
    }

    private void planTick(Server server) {
        long next = server.bucket.nextDeadline();
        if (next < server.tickAt) {
            server.tickAt = Math.max(next, now);
            queue.add(server.tickAt, EventQueue.Kind.TICK, server);
        }
    }

    private Server tick(Server server) {
        if (server.tickAt <= now) {
            server.tickAt = Long.MAX_VALUE;
        }
        server.bucket.tick(now);
        return server;
    }

    private Server call(Tenant tenant, boolean regular) {
        if (regular) {
            queue.add(now + thinkTime(), EventQueue.Kind.CALL, tenant);
        }
        if (tenant.waiter.status() == Waiter.Status.IDLE) {
            Server server = tenant.server;
            server.waiting++;
            server.bucket.request(tenant.waiter, tenant.pool, null, now);
            server.mostWaiting = Math.max(server.mostWaiting, server.waiting);
        }
        return tenant.server;
    }

    private Server answer(ServerConnection c) {
        if (c.state() == ConnectionState.ATTACHED) {
            serverOf(c).bucket.release(c, null, now);
        }
        return serverOf(c);
    }

    private Server opened(ServerConnection c) {
        Server server = serverOf(c);
        if (!server.alive) {
            server.connections.remove(c);
            serverOf(c).bucket.connectionEvents().openFailed(c, OpenFailure.UNREACHABLE, "connection refused", now);
        } else {
            serverOf(c).bucket.connectionEvents().opened(c, null, now);
        }
        return server;
    }

    private Server closed(ServerConnection c) {
        Server server = serverOf(c);
        server.connections.remove(c);
        serverOf(c).bucket.connectionEvents().closed(c, now);
        return server;
    }

    private Server checked(ServerConnection c) {
        Server server = serverOf(c);
        if (c.state() == ConnectionState.VALIDATING) {
            serverOf(c).bucket.connectionEvents().validated(c, server.alive, now);
        } else if (c.state() == ConnectionState.RESETTING) {
            serverOf(c).bucket.connectionEvents().resetDone(c, server.alive, now);
        }
        return server;
    }

    private Server burst(Server server) {
        Scenario.Bursts bursts = scenario.bursts();
        for (Tenant tenant : server.tenants) {
            if (random.nextDouble() < bursts.share()) {
                long at = now + random.nextLong(Math.max(1, bursts.length().toNanos()));
                queue.add(at, EventQueue.Kind.BURST_CALL, tenant);
            }
        }
        queue.add(now + bursts.every().toNanos(), EventQueue.Kind.BURST, server);
        return server;
    }

    private Server die(Server server) {
        server.alive = false;
        for (ServerConnection c : new ArrayList<>(server.connections)) {
            closed(c);
        }
        return server;
    }

    private static Server returned(Server server) {
        server.alive = true;
        return server;
    }

    private static Server serverOf(ServerConnection c) {
        return ((PoolKey) c.pool().key()).server();
    }

    private long thinkTime() {
        return exponential(NANOS_PER_MINUTE / scenario.callsPerMinute());
    }

    private long exponential(double mean) {
        return Math.max(1, (long) (-mean * Math.log(1 - random.nextDouble())));
    }

    @Override
    public void attach(Waiter waiter, ServerConnection c) {
        serverOf(c).waiting--;
        Scenario.Load load = scenario.load();
        boolean slow = random.nextDouble() < load.slowShare();
        double mean = (double) (slow ? load.slowQuery() : load.query()).toNanos();
        queue.add(now + exponential(mean), EventQueue.Kind.ANSWER, c);
    }

    @Override
    public void refuse(Waiter waiter, Refusal why) {
        ((Tenant) waiter.client()).server.waiting--;
    }

    @Override
    public void open(ServerConnection c) {
        Server server = serverOf(c);
        server.accept(c);
        long takes = server.alive ? scenario.load().connect().toNanos() : ROUND_TRIP;
        queue.add(now + takes, EventQueue.Kind.OPENED, c);
    }

    @Override
    public void close(ServerConnection c, CloseReason why) {
        queue.add(now + ROUND_TRIP, EventQueue.Kind.CLOSED, c);
    }

    @Override
    public void reset(ServerConnection c) {
        queue.add(now + ROUND_TRIP, EventQueue.Kind.CHECKED, c);
    }

    @Override
    public void validate(ServerConnection c, HealthSettings.Check how) {
        queue.add(now + ROUND_TRIP, EventQueue.Kind.CHECKED, c);
    }
}
