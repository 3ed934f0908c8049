package dev.comporta.ops.metrics;

import java.util.List;

/** Every metric there is. docs/operations.md has the same table, and a test that it is the same. */
public enum Metric {
    CONNECTIONS_ACTIVE(
            "proxy_connections_active", Type.GAUGE, "Server connections that clients have at the moment.", "bucket"),
    CONNECTIONS_IDLE("proxy_connections_idle", Type.GAUGE, "Server connections that are ready for anyone.", "bucket"),
    CONNECTIONS_PINNED(
            "proxy_connections_pinned",
            Type.GAUGE,
            "Of the active ones, those that their clients must keep beyond a request: in a transaction, mostly.",
            "bucket"),
    CONNECTIONS_MAX(
            "proxy_connections_max",
            Type.GAUGE,
            "max_connections: the limit over all instances, as this one is configured.",
            "bucket"),
    CONNECTIONS_IN_STATE(
            "proxy_connections_in_state",
            Type.GAUGE,
            "Server connections by where they are in their lives.",
            "bucket",
            "state"),
    CONNECTIONS_TOTAL(
            "proxy_connections_total",
            Type.COUNTER,
            "What became of requests for a connection (acquired, released, timeout, queue_full, exhausted, unavailable, login_rejected, login_failed, removed, cancelled), and connections opened and closed.",
            "bucket",
            "status"),
    CONNECTIONS_CLOSED(
            "proxy_connections_closed_total",
            Type.COUNTER,
            "Server connections that ended, and why.",
            "bucket",
            "reason"),
    CONNECTION_ERRORS(
            "proxy_connection_errors_total",
            Type.COUNTER,
            "What went wrong with server connections: create_failed, login_rejected, login_failed, reset_failed, validation_failed, lost.",
            "bucket",
            "reason"),
    CONNECT_DURATION(
            "proxy_connect_duration_seconds",
            Type.HISTOGRAM,
            "How long it took to open a server connection, login included.",
            "bucket"),
    CLIENTS("proxy_clients", Type.GAUGE, "Clients that are logged in.", "bucket"),
    QUEUE_LENGTH("proxy_queue_length", Type.GAUGE, "Requests that wait for a connection.", "bucket"),
    QUEUE_WAIT(
            "proxy_queue_wait_duration_seconds",
            Type.HISTOGRAM,
            "How long requests waited that got a connection; those that got one at once count as 0.",
            "bucket"),
    QUEUE_WAIT_IN_VAIN(
            "proxy_queue_wait_in_vain_duration_seconds",
            Type.HISTOGRAM,
            "How long requests waited that were refused, or whose clients gave up.",
            "bucket"),
    QUERY_DURATION(
            "proxy_query_duration_seconds",
            Type.HISTOGRAM,
            "From the sending of a request to the end of its response; not of clients with a connection of their own.",
            "bucket"),
    BYTES(
            "proxy_bytes_total",
            Type.COUNTER,
            "TDS bytes to (sent) and from (received) the server, TLS not counted.",
            "bucket",
            "direction"),
    PINS("proxy_pins_total", Type.COUNTER, "Clients that came to keep their connection, and why.", "bucket", "reason"),
    PINNED_SECONDS(
            "proxy_pinned_seconds_total",
            Type.COUNTER,
            "For how long they kept it; counted when it ends.",
            "bucket",
            "reason"),
    RESERVOIR_EMPTY("proxy_reservoir_empty_total", Type.COUNTER, "Requests that found no ready connection.", "bucket"),
    RESERVOIR_REFILLS(
            "proxy_reservoir_refills_total", Type.COUNTER, "Connections that were opened ahead of need.", "bucket"),
    RESERVOIR_REFILL_FAILURES(
            "proxy_reservoir_refill_failures_total", Type.COUNTER, "Those that could not be opened.", "bucket"),
    BUCKET_UP(
            "proxy_bucket_up",
            Type.GAUGE,
            "1 while the bucket's server is thought to be up, else 0, and its clients are refused at once.",
            "bucket"),
    HEALTH_CHECKS(
            "proxy_health_checks_total",
            Type.COUNTER,
            "Checks of idle connections, by result: success, failure.",
            "bucket",
            "result"),
    SNAPSHOT_AGE(
            "proxy_snapshot_age_seconds",
            Type.GAUGE,
            "How old the bucket's figures are: more than a second means that its event loop did not answer in time.",
            "bucket"),
    SLOTS_HELD(
            "proxy_slots_held",
            Type.GAUGE,
            "Slots that each instance holds, as far as this one knows.",
            "bucket",
            "instance"),
    SLOTS_WAITING(
            "proxy_slots_waiting", Type.GAUGE, "Slots that each instance stands in line for.", "bucket", "instance"),
    SLOTS_LIMIT(
            "proxy_slots_limit",
            Type.GAUGE,
            "The limit that rules in the fleet: the lowest configured, or what it was changed to while instances ran.",
            "bucket"),
    SLOTS_LIMIT_DISPUTED(
            "proxy_slots_limit_disputed",
            Type.GAUGE,
            "1 while instances are configured with different limits, or with another than what rules.",
            "bucket"),
    FALLBACK_ACTIVE(
            "proxy_fallback_active",
            Type.GAUGE,
            "1 while the bucket's lease is over because Redis can't be reached, and a fair share is all there is.",
            "bucket"),
    DEGRADED(
            "proxy_degraded",
            Type.GAUGE,
            "1 while some bucket's slots can't be had from Redis: calls fail, though leases may still hold."),
    REDIS_OPERATIONS(
            "proxy_redis_operations_total",
            Type.COUNTER,
            "Calls of Redis, by purpose and outcome (ok, refused, failed).",
            "operation",
            "status"),
    REDIS_LATENCY(
            "proxy_redis_latency_seconds", Type.GAUGE, "How long Redis took for the call that was answered last."),
    INSTANCE_HEARTBEAT(
            "proxy_instance_heartbeat",
            Type.GAUGE,
            "1 for each instance whose heartbeat is in time, 0 for one that is overdue; a dead one is gone.",
            "instance"),
    READY("proxy_ready", Type.GAUGE, "1 while clients may be sent here, as /health/ready says."),
    CONFIG_RELOADS(
            "proxy_config_reloads_total",
            Type.COUNTER,
            "How often the configuration was read again, by result: applied, failed.",
            "result"),
    CONFIG_LAST_RELOAD_FAILED(
            "proxy_config_last_reload_failed",
            Type.GAUGE,
            "1 while the files that were read last had errors, and the configuration of before holds."),
    MEMORY_USED("jvm_memory_used_bytes", Type.GAUGE, "Memory in use, by area: heap, nonheap, direct.", "area"),
    RESIDENT_MEMORY("process_resident_memory_bytes", Type.GAUGE, "Memory that the system gives the process."),
    CPU_SECONDS("process_cpu_seconds_total", Type.COUNTER, "Processor time used."),
    OPEN_FDS("process_open_fds", Type.GAUGE, "Open files and sockets."),
    MAX_FDS("process_max_fds", Type.GAUGE, "The most of them that the system allows."),
    START_TIME("process_start_time_seconds", Type.GAUGE, "When the process started, in seconds since 1970.");

    /** How Prometheus takes it. */
    public enum Type {
        GAUGE,
        COUNTER,
        HISTOGRAM
    }

    private final String id;
    private final Type type;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> labels;

    Metric(String id, Type type, String help, String... labels) {
        this.id = id;
        this.type = type;
        this.help = help;
        this.labels = List.of(labels);
    }

    /** As it is scraped. */
    public String id() {
        return id;
    }

    public Type type() {
        return type;
    }

    public String help() {
        return help;
    }

    public List<String> labels() {
        return labels;
    }
}
