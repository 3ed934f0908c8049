package dev.comporta.e2e.fleet;

import static dev.comporta.e2e.fleet.FleetOfProcesses.A_MOMENT;
import static dev.comporta.e2e.fleet.FleetOfProcesses.TTL;
import static dev.comporta.e2e.fleet.FleetOfProcesses.awaitSince;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.e2e.fleet.FaultSchedule.Round;
import dev.comporta.e2e.fleet.FaultSchedule.Strike;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Carries out a {@link FaultSchedule} on a fleet under load, and holds the fleet to its promises after each round. */
final class Ordeal {
    private static final int CLIENTS_EACH = 10;
    private static final Duration SOON = Duration.ofSeconds(30);

    private final StandingFleet standing;
    private final ServedBucket orders;
    private final Random chance;
    private List<ProxyProcess> all;
    private final Set<ProxyProcess> struck = new HashSet<>();
    /** By how much the limit may be exceeded in this round, by those. */
    private int excused;

    Ordeal(StandingFleet standing, Random chance) throws IOException {
        this.standing = standing;
        this.chance = chance;
        orders = standing.orders;
        all = standing.fleet.three();
    }

    void undergo(Round round) throws Exception {
        System.out.println(round.strikes());
        Set<String> ended = new HashSet<>();
        struck.clear();
        try (MixedLoad load = new MixedLoad(orders, all, CLIENTS_EACH, chance).awaitEveryoneWorks()) {
            LimitWatch watch = new LimitWatch(orders, all);
            excused = 0;
            long begun = System.nanoTime();
            for (Round.Step step : round.steps()) {
                awaitSince("the next step", begun, step.at());
                if (step.begins()) {
                    begin(step.strike(), ended);
                } else {
                    end(step.strike(), load);
                }
            }
            AllSlots.takeWhenReconciled(orders, all, TTL.plus(A_MOMENT)).close();
            awaitAllAreHeard();
            for (ProxyProcess instance : all) {
                load.awaitProgress(instance, SOON);
            }
            load.stop();
            assertThat(load.failures())
                    .filteredOn(failure -> !ended.contains(failure.through()))
                    .isEmpty();
            load.verifyCommits(all.getFirst());
            watch.verify(excused, struck);
        }
    }

    /**
     * One that was cut off may be thought dead after that too, before it has found its way back. The next round is not to be
     * blamed for what it has then.
     */
    private void awaitAllAreHeard() {
        Map<ProxyProcess, String> before = new HashMap<>();
        all.forEach(instance -> before.put(instance, standing.redis.lastCallOf(instance, orders)));
        for (ProxyProcess instance : all) {
            await(instance + " is heard at Redis").atMost(SOON).until(() -> {
                String last = standing.redis.lastCallOf(instance, orders);
                return !last.isEmpty() && !last.equals(before.get(instance));
            });
        }
        await("those above their share have given back")
                .atMost(TTL.plus(A_MOMENT))
                .until(() -> standing.redis.held(orders) <= orders.limit && orders.openSessions() <= orders.limit);
    }

    private void begin(Strike strike, Set<String> ended) throws Exception {
        if (!strike.fault().strikesRedis()) {
            struck.add(victim(strike));
        }
        switch (strike.fault()) {
            case KILL -> {
                ended.add(victim(strike).name);
                victim(strike).kill();
            }
            case STOP_IN_ORDER -> {
                ended.add(victim(strike).name);
                victim(strike).stopInOrder();
            }
            case FREEZE -> {
                victim(strike).freeze();
                // It may have asked for more, and the database let it in after it froze.
                excused += sockets(victim(strike));
            }
            case CUT -> {
                int had = sockets(victim(strike));
                standing.redis.wayOf(victim(strike)).cut();
                excuse(victim(strike), had);
            }
            case SILENCE, FORGET -> {
                int had = sockets(victim(strike));
                standing.redis.wayOf(victim(strike)).silence();
                excuse(victim(strike), had);
            }
            case RESTART_REDIS -> standing.redis.server.stop();
            case FREEZE_REDIS -> standing.redis.server.freeze();
        }
    }

    private int sockets(ProxyProcess instance) throws IOException {
        return instance.portsTowards(orders.port()).size();
    }

    /**
     * One that is cut off from Redis adds its share, or what it has when that is more and in use: before it was cut off, or
     * by a last word from Redis that was on its way.
     */
    private void excuse(ProxyProcess cutOff, int had) throws IOException {
        excused += Math.max(orders.limit / all.size(), Math.max(had, sockets(cutOff)));
    }

    private void end(Strike strike, MixedLoad load) throws Exception {
        switch (strike.fault()) {
            case KILL, STOP_IN_ORDER -> {
                ProxyProcess old = victim(strike);
                all = standing.fleet.three();
                load.replace(old, victim(strike));
                load.add(victim(strike), CLIENTS_EACH);
            }
            case FREEZE -> victim(strike).thaw();
            case CUT, SILENCE -> standing.redis.wayOf(victim(strike)).mend();
            case FORGET -> standing.redis.wayOf(victim(strike)).mendForNewConnections();
            case RESTART_REDIS -> standing.redis.server.startEmpty();
            case FREEZE_REDIS -> standing.redis.server.thaw();
        }
    }

    private ProxyProcess victim(Strike strike) {
        return all.get(strike.victim());
    }
}
