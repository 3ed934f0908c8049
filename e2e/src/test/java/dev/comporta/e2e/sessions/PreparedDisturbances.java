package dev.comporta.e2e.sessions;

import dev.comporta.tds.request.SystemProcedure;
import java.util.ArrayList;
import java.util.List;

/** Prepared statements that are cancelled, or whose session is reset by the very request. */
final class PreparedDisturbances {
    private PreparedDisturbances() {}

    static List<Act> acts() {
        return List.of(
                PreparedDisturbances::cancelled,
                PreparedDisturbances::cancelledAtOnce,
                PreparedDisturbances::cancelledTooLate,
                PreparedDisturbances::givenUp,
                PreparedDisturbances::reset,
                PreparedDisturbances::resetByExecution,
                PreparedDisturbances::resetByPreparation);
    }

    /** The message says how far it has come, so that the cancel comes at the same place each time. */
    private static PreparedText waiting(Draw draw) {
        return new PreparedText(
                "RAISERROR('now', 0, 1) WITH NOWAIT; " + Disturbances.wait(draw) + "; SELECT @p",
                "@p int",
                List.of(Arg.integer(draw.below(9))));
    }

    private static Step.Interruption whenItWaits(Draw draw) {
        return draw.isBabelfish() ? Step.Interruption.WHEN_OVER : Step.Interruption.AFTER_FIRST_PACKET;
    }

    /** The handle lives on. One that was to be returned by what is cancelled is not: nobody knows of it. */
    private static List<Step> cancelled(Draw draw) {
        int handle = draw.newHandle();
        PreparedText statement = waiting(draw);
        List<Step> steps = new ArrayList<>();
        if (draw.chance(50)) {
            steps.add(Step.calls(Prepares.prepare(draw, handle, statement)));
            steps.add(Step.calls(Prepares.execute(draw, handle, statement.arguments()))
                    .with(whenItWaits(draw)));
        } else {
            steps.add(Step.calls(Prepares.prepareAndExecute(draw, handle, statement))
                    .with(whenItWaits(draw)));
        }
        steps.add(Step.batch(Probes.state(draw)));
        if (!draw.isBabelfish()) {
            steps.add(Step.calls(Prepares.execute(draw, handle, statement.arguments()))
                    .with(whenItWaits(draw)));
        }
        return steps;
    }

    private static List<Step> cancelledAtOnce(Draw draw) {
        if (draw.isBabelfish()) {
            return List.of(); // it runs to its end there, and not at all if it was still in the proxy's queue
        }
        int handle = draw.newHandle();
        PreparedText statement =
                new PreparedText(Disturbances.wait(draw) + "; SELECT @p", "@p int", List.of(Arg.integer(1)));
        return List.of(
                // It must be there: what is refused at once may be answered before the cancel comes.
                Step.calls(Call.of(
                        SystemProcedure.PREPARE,
                        Arg.newHandle(handle),
                        Arg.text(statement.declaration()),
                        Arg.text(statement.text()))),
                Step.calls(Prepares.execute(draw, handle, statement.arguments()))
                        .with(Step.Interruption.AT_ONCE),
                Step.batch(Probes.state(draw)));
    }

    private static List<Step> cancelledTooLate(Draw draw) {
        int handle = draw.newHandle();
        draw.prepared.add(handle);
        PreparedText statement = PreparedText.draw(draw);
        return List.of(
                Step.calls(Prepares.prepareAndExecute(draw, handle, statement)).with(Step.Interruption.WHEN_OVER),
                Step.calls(Prepares.execute(draw, handle, statement.arguments()))
                        .with(Step.Interruption.WHEN_OVER));
    }

    /** Taken back by the last packet: nothing of it happens. */
    private static List<Step> givenUp(Draw draw) {
        if (draw.isBabelfish()) {
            return List.of(); // as in Disturbances
        }
        int handle = draw.newHandle();
        int never = draw.newHandle();
        draw.prepared.add(handle);
        PreparedText statement = PreparedText.draw(draw);
        return List.of(
                Step.calls(Prepares.prepare(draw, handle, statement)),
                Step.calls(draw.one(
                                Prepares.execute(draw, handle, statement.arguments()),
                                Prepares.prepareAndExecute(draw, never, statement)))
                        .with(Step.Interruption.GIVEN_UP),
                Step.calls(Prepares.execute(draw, handle, statement.arguments())));
    }

    /** On Babelfish one that changes nothing: its reset keeps too much (see {@link Disturbances#afterPreparation}). */
    private static PreparedText beforeReset(Draw draw) {
        return draw.isBabelfish()
                ? new PreparedText("SELECT @p", "@p int", List.of(Arg.integer(1)))
                : PreparedText.draw(draw);
    }

    /** Before anything is prepared anew: servers may use numbers again. */
    private static List<Step> reset(Draw draw) {
        int handle = draw.newHandle();
        PreparedText statement = beforeReset(draw);
        return Disturbances.afterPreparation(
                draw,
                Step.calls(Prepares.prepareAndExecute(draw, handle, statement)),
                Step.batch(Probes.state(draw)).with(Step.Reset.RESET),
                Step.calls(Prepares.execute(draw, handle, statement.arguments())));
    }

    /** The reset comes first, and so there is nothing to execute. */
    private static List<Step> resetByExecution(Draw draw) {
        int handle = draw.newHandle();
        PreparedText statement = beforeReset(draw);
        return Disturbances.afterPreparation(
                draw,
                Step.calls(Prepares.prepare(draw, handle, statement)),
                Step.calls(Prepares.execute(draw, handle, statement.arguments()))
                        .with(Step.Reset.RESET),
                Step.batch(Probes.state(draw)));
    }

    private static List<Step> resetByPreparation(Draw draw) {
        int handle = draw.newHandle();
        PreparedText statement = beforeReset(draw);
        List<Step> steps = Disturbances.afterPreparation(
                draw,
                Step.calls(Prepares.prepareAndExecute(draw, handle, statement)).with(Step.Reset.RESET),
                Step.calls(Prepares.execute(draw, handle, statement.arguments())));
        if (!steps.isEmpty()) {
            draw.prepared.add(handle);
        }
        return steps;
    }
}
