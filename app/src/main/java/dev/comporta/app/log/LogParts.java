package dev.comporta.app.log;

import dev.comporta.ops.config.log.LogPart;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The loggers of each part: those with the names given, and those below them that no longer name covers. */
final class LogParts {
    private record Prefix(String name, LogPart part) {
        boolean isOf(String logger) {
            return logger.startsWith(name) && (logger.length() == name.length() || logger.charAt(name.length()) == '.');
        }
    }

    private static final Map<LogPart, List<String>> NAMES = new EnumMap<>(Map.ofEntries(
            Map.entry(LogPart.LISTEN, List.of("dev.comporta.proxy.listen", "dev.comporta.proxy.origin")),
            Map.entry(LogPart.LOGIN, List.of("dev.comporta.proxy.login", "dev.comporta.proxy.admit")),
            Map.entry(
                    LogPart.POOL, List.of("dev.comporta.pool", "dev.comporta.proxy.loop", "dev.comporta.proxy.names")),
            Map.entry(
                    LogPart.RELAY,
                    List.of(
                            "dev.comporta.proxy.relay",
                            "dev.comporta.proxy.line",
                            "dev.comporta.proxy.dedicated",
                            "dev.comporta.proxy.prepared",
                            "dev.comporta.proxy.session",
                            "dev.comporta.slow")),
            Map.entry(LogPart.FLEET, List.of("dev.comporta.lease", "dev.comporta.app.FleetLog")),
            Map.entry(
                    LogPart.CONSOLE,
                    List.of("dev.comporta.console", "dev.comporta.proxy.console", "dev.comporta.app.console")),
            Map.entry(LogPart.AUDIT, List.of("dev.comporta.audit")),
            Map.entry(
                    LogPart.HTTP,
                    List.of(
                            "dev.comporta.http",
                            "dev.comporta.ops",
                            "dev.comporta.app.HttpEndpoints",
                            "dev.comporta.app.api")),
            Map.entry(LogPart.CONFIG, List.of("dev.comporta.ops.config", "dev.comporta.app.Reloads")),
            Map.entry(LogPart.TLS, List.of("dev.comporta.tls", "dev.comporta.app.Certificates")),
            Map.entry(LogPart.INSTANCE, List.of("dev.comporta")),
            Map.entry(LogPart.LIBRARIES, List.of(org.slf4j.Logger.ROOT_LOGGER_NAME))));

    /** The longest prefix first. */
    private static final List<Prefix> PREFIXES = NAMES.entrySet().stream()
            .flatMap(part -> part.getValue().stream().map(name -> new Prefix(name, part.getKey())))
            .sorted(Comparator.comparingInt((Prefix prefix) -> prefix.name().length())
                    .reversed())
            .toList();

    private LogParts() {}

    static List<String> loggers(LogPart part) {
        return NAMES.getOrDefault(part, List.of());
    }

    static LogPart of(String logger) {
        for (Prefix prefix : PREFIXES) {
            if (prefix.isOf(logger)) {
                return prefix.part();
            }
        }
        return LogPart.LIBRARIES;
    }
}
