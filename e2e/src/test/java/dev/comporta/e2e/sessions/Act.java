package dev.comporta.e2e.sessions;

import java.util.List;

/** Something that a session may do: one request, or several that make sense together only. */
@FunctionalInterface
interface Act {
    List<Step> steps(Draw draw);

    /** A batch. */
    static Act batch(java.util.function.Function<Draw, String> text) {
        return draw -> List.of(Step.batch(text.apply(draw)));
    }
}
