package dev.comporta.app;

import dev.comporta.app.console.DrainPlan;
import dev.comporta.app.console.Settings;
import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.yaml.Edit;
import dev.comporta.ops.config.yaml.Findings;
import java.util.List;

/** The settings of a running instance, for the console. */
record InstanceSettings(Instance instance, Reloads reloads) implements Settings {
    @Override
    public Configuration running() {
        return reloads.running();
    }

    @Override
    public List<Findings.Effective> inForce() {
        return reloads.settings();
    }

    @Override
    public boolean needsRestart(String path) {
        return SettingsDiff.needsRestart(path);
    }

    @Override
    public Applied reload() {
        return instance.reload();
    }

    @Override
    public Applied change(List<Edit> edits) {
        return instance.change(edits);
    }

    @Override
    public boolean drain() {
        return instance.beginToStop();
    }

    @Override
    public DrainPlan drainPlan() {
        return instance.drainPlan();
    }
}
