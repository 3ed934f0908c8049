package dev.comporta.app.console;

import dev.comporta.console.table.View;
import dev.comporta.console.table.ViewColumns;
import dev.comporta.ops.config.bucket.BucketConfig;
import dev.comporta.ops.config.bucket.CapacityConfig;
import dev.comporta.ops.config.bucket.QueueConfig;
import dev.comporta.ops.config.yaml.Findings;
import dev.comporta.ops.config.yaml.YamlFile;
import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.watch.Observer;
import dev.comporta.pool.state.HealthState;
import dev.comporta.proxy.loop.BucketLoop.Glance;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code sys.settings} and {@code sys.buckets}: the configuration. */
final class SettingViews {
    private static final String DEFAULT = "default";

    private record BucketRow(BucketConfig config, Map<String, String> inForce, String state, String server) {
        /** The value in force of a setting that needs a restart: the files may have changed. */
        String inForce(String key, String otherwise) {
            return inForce.getOrDefault("buckets[" + config.id() + "]." + key, otherwise);
        }

        int port() {
            return Integer.parseInt(inForce("port", Integer.toString(config.port())));
        }

        QueueConfig queue() {
            return config.queue();
        }
    }

    private final Settings settings;
    private final Sightings sightings;
    private final Observer observer;
    private final SettingNames names = new SettingNames();

    SettingViews(Settings settings, Sightings sightings, Observer observer) {
        this.settings = settings;
        this.sightings = sightings;
        this.observer = observer;
    }

    View settings() {
        return new ViewColumns<Findings.Effective>()
                .text("name", "The key with its path, as SET takes it.", Findings.Effective::path)
                .text("value", "The value in force; a secret is masked.", Findings.Effective::value)
                .text(
                        "default_value",
                        "The default; NULL if it has none, or takes another setting's value.",
                        setting -> names.defaultOf(setting.path()))
                .text("source", "default, file or console.", setting -> source(setting.origin()))
                .text(
                        "changes_at",
                        "run time: by SET or a reload of the files; restart: by a restart only.",
                        setting -> settings.needsRestart(setting.path()) ? "restart" : "run time")
                .view("settings", "SETTINGS", "One row for each setting.", settings::inForce);
    }

    private static String source(String origin) {
        if (origin.equals(DEFAULT)) {
            return DEFAULT;
        }
        return origin.startsWith(YamlFile.EDITED.file() + ":") ? "console" : "file";
    }

    View buckets() {
        ViewColumns<BucketRow> columns = new ViewColumns<>();
        columns.text("server_name", "The bucket's id.", row -> row.config().id())
                .text(
                        "host",
                        "Its host name or address.",
                        row -> row.inForce("host", row.config().host()))
                .integer("port", "Its port.", BucketRow::port)
                .text(
                        "database_name",
                        "The bucket's database; NULL for the login's default.",
                        row -> row.config().database().orElse(""))
                .text("state", "up, down, paused or draining.", BucketRow::state)
                .text(
                        "pool_mode",
                        "transaction or session.",
                        row -> row.inForce("pool_mode", lower(row.config().poolMode())))
                .text("policy", "exhaustion_policy.", row -> lower(row.queue().policy()));
        columns.of(row -> row.config().capacity())
                .integer("max_connections", "As configured.", CapacityConfig::maxConnections)
                .integer("min_idle", "As configured.", CapacityConfig::minIdle);
        columns.of(BucketRow::queue)
                .integer("max_queue_size", "As configured.", QueueConfig::maxSize)
                .millis("queue_timeout_ms", "As configured.", QueueConfig::timeout)
                .text("when_down", "wait or refuse.", queue -> lower(queue.whenDown()));
        columns.text("server_in_use", "The server that connections go to, with its address.", BucketRow::server);
        return columns.view("buckets", "BUCKETS", "One row for each bucket, its configuration.", this::bucketRows);
    }

    private List<BucketRow> bucketRows() {
        Map<String, String> inForce = new HashMap<>();
        settings.inForce().forEach(setting -> inForce.put(setting.path(), setting.value()));
        Map<String, Glance> glances = sightings.glances();
        boolean draining = observer.observe().phase() == Observation.Phase.DRAINING;
        return settings.running().buckets().stream()
                .map(bucket -> row(bucket, inForce, glances.get(bucket.id()), draining))
                .toList();
    }

    private static BucketRow row(
            BucketConfig bucket, Map<String, String> inForce, @Nullable Glance seen, boolean draining) {
        return new BucketRow(bucket, inForce, draining ? "draining" : state(seen), seen == null ? "" : seen.server());
    }

    /** NULL for a bucket that was added a moment ago. */
    private static String state(@Nullable Glance seen) {
        if (seen == null) {
            return "";
        }
        if (seen.pool().paused()) {
            return "paused";
        }
        return seen.pool().health().state() == HealthState.UP ? "up" : "down";
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
