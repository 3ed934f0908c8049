package dev.comporta.app.console;

import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.yaml.Edit;
import dev.comporta.ops.config.yaml.Findings;
import java.util.List;

/** The settings of the instance, and how they change while it runs. Any thread; changes are made one after the other. */
public interface Settings {
    /**
     * The result of a change.
     *
     * @param applied whether it is in force; otherwise nothing has changed
     * @param lines what changed, or what is wrong, for the user
     * @param afterRestart keys whose new values need a restart
     */
    record Applied(boolean applied, List<String> lines, List<String> afterRestart) {
        public Applied {
            lines = List.copyOf(lines);
            afterRestart = List.copyOf(afterRestart);
        }
    }

    /** The configuration from the files and the commands since they were read. */
    Configuration running();

    /** Every setting with the value in force: one that needs a restart has the value of the start. */
    List<Findings.Effective> inForce();

    boolean needsRestart(String path);

    /** Reads the files again, as SIGHUP does. Changes made by {@link #change} are lost. */
    Applied reload();

    /** Changes the settings as they were last read from the files. */
    Applied change(List<Edit> edits);

    /**
     * Begins to stop, as SIGTERM does.
     *
     * @return false if it was draining already
     */
    boolean drain();

    /** How the instance drains when it stops. */
    DrainPlan drainPlan();
}
