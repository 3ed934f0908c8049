package dev.comporta.app;

import dev.comporta.ops.config.yaml.Findings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The differences between the files and the settings in force, by the paths of the keys.
 *
 * @param taken settings that change at once, with the values before and after
 * @param afterRestart settings that change at the next start
 */
record SettingsDiff(List<String> taken, List<String> afterRestart) {
    /** Keys, and sections with a dot at their end. docs/configuration.md lists them too. */
    static final List<String> NEED_RESTART = List.of("""
            proxy.listen_addr proxy.listen_port proxy.listeners[]. proxy.proxy_protocol proxy.trusted_proxies
            proxy.allow proxy.deny proxy.instance_id proxy.login_timeout proxy.tls. proxy.health_check_addr
            proxy.health_check_port proxy.metrics_addr proxy.metrics_port proxy.metrics. proxy.http_tls
            proxy.transport proxy.event_loops proxy.reuse_port proxy.limits. proxy.tcp.
            leases redis. dynamodb. fallback.
            buckets[].host buckets[].hosts buckets[].failover_partner buckets[].port buckets[].pool_mode
            buckets[].transaction_tracking buckets[].encrypt buckets[].trust_server_certificate buckets[].ca_file
            buckets[].host_name_in_certificate buckets[].tls_ciphers
            """.strip().split("\\s+", -1));

    private static final Pattern INDEX = Pattern.compile("\\[[^]]*]");
    private static final Pattern BUCKET = Pattern.compile("buckets\\[([^]]*)].*");

    SettingsDiff {
        taken = List.copyOf(taken);
        afterRestart = List.copyOf(afterRestart);
    }

    /**
     * @param inForce values by path
     * @param kept the buckets that exist before and after: added and removed ones are reported as a whole
     */
    static SettingsDiff between(Map<String, String> inForce, Map<String, String> wanted, Set<String> kept) {
        List<String> taken = new ArrayList<>();
        List<String> afterRestart = new ArrayList<>();
        Set<String> paths = new LinkedHashSet<>(wanted.keySet());
        paths.addAll(inForce.keySet());
        for (String path : paths) {
            String before = inForce.get(path);
            String after = wanted.get(path);
            if (isOfOthers(path, kept) || (before == null ? after == null : before.equals(after))) {
                continue;
            }
            if (needsRestart(path)) {
                afterRestart.add(path);
            } else {
                taken.add("%s: %s instead of %s".formatted(path, shown(after), shown(before)));
            }
        }
        return new SettingsDiff(taken, afterRestart);
    }

    private static String shown(@Nullable String value) {
        return value == null ? "nothing" : value;
    }

    private static boolean isOfOthers(String path, Set<String> kept) {
        Matcher bucket = BUCKET.matcher(path);
        return bucket.matches() && !kept.contains(bucket.group(1));
    }

    static boolean needsRestart(String path) {
        String key = INDEX.matcher(path).replaceAll("[]");
        return NEED_RESTART.stream().anyMatch(entry -> entry.endsWith(".") ? key.startsWith(entry) : key.equals(entry));
    }

    static Map<String, String> byPath(List<Findings.Effective> effective) {
        Map<String, String> values = new LinkedHashMap<>();
        effective.forEach(setting -> values.put(setting.path(), setting.value()));
        return values;
    }

    /** The values in force, each with its origin. */
    static List<Findings.Effective> withOrigins(Map<String, String> inForce, List<Findings.Effective> read) {
        Map<String, String> origins = new LinkedHashMap<>();
        read.forEach(setting -> origins.put(setting.path(), setting.origin()));
        List<Findings.Effective> settings = new ArrayList<>();
        inForce.forEach((path, value) ->
                settings.add(new Findings.Effective(path, value, origins.getOrDefault(path, "default"))));
        return List.copyOf(settings);
    }

    /** The values in force after a reload. Settings that need a restart keep theirs: each reload reports them again. */
    static Map<String, String> afterwards(Map<String, String> inForce, Map<String, String> wanted, Set<String> kept) {
        Map<String, String> values = new LinkedHashMap<>();
        wanted.forEach((path, value) -> {
            if (isOfOthers(path, kept) || !needsRestart(path)) {
                values.put(path, value);
            }
        });
        inForce.forEach((path, value) -> {
            if (!isOfOthers(path, kept) && needsRestart(path)) {
                values.put(path, value);
            }
        });
        return values;
    }
}
