package dev.comporta.e2e.sessions;

import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.tds.TdsVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Draws scripts. The same seed, number and habits make the same script.
 *
 * @param keepsResults whether the proxy promises what a request leaves for the next one
 */
record ScriptMaker(long seed, ServerHabits habits, boolean keepsResults) {
    private static final List<TdsVersion> VERSIONS = List.of(
            TdsVersion.V7_4, TdsVersion.V7_1, TdsVersion.V7_4, TdsVersion.V7_2, TdsVersion.V7_4, TdsVersion.V7_3B);

    /** So many sessions after one another speak one version, mostly: one that nobody else speaks needs a connection of its own. */
    private static final int OF_ONE_VERSION = 400;

    private static final int LEAST_STEPS = 4;
    private static final int MORE_STEPS = 12;

    Script make(int client) {
        Random random = new Random(seed * 1_000_003 + client);
        random.nextInt();
        TdsVersion version = random.nextInt(100) < 3
                ? VERSIONS.get(random.nextInt(VERSIONS.size()))
                : VERSIONS.get(client / OF_ONE_VERSION % VERSIONS.size());
        Draw draw = new Draw(random, client, version, habits, keepsResults);
        // One that leaves what it may not find again asks for nothing of the kind.
        boolean quiet = draw.chance(10);
        List<Act> acts = quiet ? quietActs(draw) : acts(draw);
        List<List<Step>> units = new ArrayList<>();
        if (draw.chance(20)) {
            units.add(List.of(Step.batch("SELECT @@IDENTITY, SCOPE_IDENTITY()")));
        }
        int wanted = LEAST_STEPS + draw.below(MORE_STEPS);
        for (int steps = 0; steps < wanted; ) {
            List<Step> unit = draw.one(acts).steps(draw).stream()
                    .map(step -> cut(draw, step))
                    .toList();
            steps += unit.size();
            if (!unit.isEmpty()) {
                units.add(unit);
            }
        }
        units.add(List.of(Step.batch(quiet ? "DBCC USEROPTIONS" : Probes.everything(draw))));
        return new Script(client, version, units);
    }

    private static List<Act> quietActs(Draw draw) {
        List<Act> acts = new ArrayList<>(Settings.acts());
        acts.addAll(Rows.acts());
        for (int i = 0; i < 3; i++) {
            acts.addAll(Leftovers.quietActs(draw));
        }
        return acts;
    }

    /** Most sessions do nothing that keeps their connection: theirs change hands with every request. */
    private static List<Act> acts(Draw draw) {
        List<Act> acts = new ArrayList<>();
        acts.addAll(Probes.acts());
        acts.addAll(Settings.acts());
        acts.addAll(Rows.acts());
        switch (draw.below(12)) {
            case 0, 1 -> acts.addAll(Leftovers.harmlessActs());
            case 2, 3 -> acts.addAll(TransactionActs.acts());
            case 4 -> acts.addAll(Disturbances.acts());
            case 5, 6, 7 -> acts.addAll(Prepares.acts());
            case 8 -> {
                acts.addAll(Prepares.acts());
                acts.addAll(PreparedDisturbances.acts());
                acts.addAll(PreparedCursors.acts(draw));
                acts.addAll(TransactionActs.acts());
            }
            case 9 -> acts.addAll(Leftovers.acts());
            case 10 -> acts.addAll(Settings.uncertainActs());
            default -> {
                acts.addAll(Leftovers.harmlessActs());
                acts.addAll(TransactionActs.acts());
                acts.addAll(Disturbances.acts());
                acts.addAll(Prepares.acts());
                acts.addAll(PreparedDisturbances.acts());
                acts.addAll(PreparedCursors.acts(draw));
                acts.addAll(Leftovers.acts());
                acts.addAll(Settings.uncertainActs());
            }
        }
        return acts;
    }

    /** Some messages come in packets of any size. */
    private static Step cut(Draw draw, Step step) {
        return draw.chance(10) ? step.inPackets(1 + draw.below(draw.one(8, 80, 800))) : step;
    }
}
