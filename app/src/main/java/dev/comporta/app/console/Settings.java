package dev.comporta.app.console;

import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.yaml.Edit;
import dev.comporta.ops.config.yaml.Findings;
import java.util.List;

/** The settings of the instance, and how they change while it runs. Any thread; changes are made one after the other. */
public interface Settings {
    /**
     * What came of a change.
     *
     * @param applied whether it is in force; otherwise nothing has changed
     * @param lines what changed, or what is wrong; for people
     * @param afterRestart keys whose new values need a restart
     */
    record Applied(boolean applied, List<String> lines, List<String> afterRestart) {
        public Applied {
            lines = List.copyOf(lines);
            afterRestart = List.copyOf(afterRestart);
        }
    }

    /** What the files and the commands since say. */
    Configuration running();

    /** Every setting with the value in force: one that needs a restart has the value of the start. */
    List<Findings.Effective> inForce();

    boolean needsRestart(String path);

    /** Reads the files again, as SIGHUP does. What was changed by {@link #change} is forgotten. */
    Applied reload();

    /** Changes what the files said when they were last read. */
    Applied change(List<Edit> edits);

    /**
     * Begins to stop, as SIGTERM does.
     *
     * @return whether this has begun it: otherwise it was under way
     */
    boolean drain();

    /** How long clients are given then. */
    DrainPlan drainPlan();
}
