package dev.comporta.ops.metrics;

import java.util.List;

/** Every metric there is. docs/operations.md has the same table, and a test that it is the same. */
public enum Metric implements Described {
    CONNECTIONS_ACTIVE("proxy_connections_active", Type.GAUGE, "Server connections attached to a client.", "bucket"),
    CONNECTIONS_IDLE("proxy_connections_idle", Type.GAUGE, "Server connections that are idle and ready.", "bucket"),
    CONNECTIONS_PINNED(
            "proxy_connections_pinned",
            Type.GAUGE,
            "Active server connections that their clients must keep after a request, mostly for an open transaction.",
            "bucket"),
    CONNECTIONS_MAX(
            "proxy_connections_max",
            Type.GAUGE,
            "The limit over all instances (max_connections), as configured here or raised at another instance.",
            "bucket"),
    CONNECTIONS_IN_STATE("proxy_connections_in_state", Type.GAUGE, "Server connections by state.", "bucket", "state"),
    CONNECTIONS_TOTAL(
            "proxy_connections_total",
            Type.COUNTER,
            "Results of requests for a connection (acquired, released, timeout, queue_full, exhausted, unavailable, login_rejected, login_failed, removed, cancelled), and connections opened and closed.",
            "bucket",
            "status"),
    CONNECTIONS_CLOSED(
            "proxy_connections_closed_total",
            Type.COUNTER,
            "Server connections closed, by reason.",
            "bucket",
            "reason"),
    CONNECTION_ERRORS(
            "proxy_connection_errors_total",
            Type.COUNTER,
            "Failures of server connections, by reason: create_failed, login_rejected, login_failed, full, no_credentials, reset_failed, validation_failed, lost.",
            "bucket",
            "reason"),
    CONNECT_DURATION(
            "proxy_connect_duration_seconds",
            Type.HISTOGRAM,
            "Time to open a server connection, login included.",
            "bucket"),
    CLIENTS("proxy_clients", Type.GAUGE, "Clients logged in.", "bucket"),
    LOGINS(
            "proxy_logins_total",
            Type.COUNTER,
            "Clients let in: known, without asking the server; checked, after the server judged their credentials; dedicated, on a connection of their own.",
            "bucket",
            "type"),
    REFUSALS(
            "proxy_refusals_total",
            Type.COUNTER,
            "Errors that Comporta answered instead of the server, at login or later, by reason; the bucket is empty where none was found for the client.",
            "bucket",
            "reason"),
    CLIENT_TLS_HANDSHAKES(
            "proxy_client_tls_handshakes_total",
            Type.COUNTER,
            "TLS handshakes with clients, by result: ok, failed.",
            "result"),
    SERVER_TLS_HANDSHAKES(
            "proxy_server_tls_handshakes_total",
            Type.COUNTER,
            "TLS handshakes with the server, by result: ok, failed.",
            "bucket",
            "result"),
    QUEUE_LENGTH("proxy_queue_length", Type.GAUGE, "Requests waiting for a server connection.", "bucket"),
    QUEUE_WAIT(
            "proxy_queue_wait_duration_seconds",
            Type.HISTOGRAM,
            "Queue time of requests that got a connection; 0 for those that got one at once.",
            "bucket"),
    QUEUE_WAIT_IN_VAIN(
            "proxy_queue_wait_in_vain_duration_seconds",
            Type.HISTOGRAM,
            "Queue time of requests that were refused or cancelled.",
            "bucket"),
    QUERY_DURATION(
            "proxy_query_duration_seconds",
            Type.HISTOGRAM,
            "Time from sending a request to the end of its response; not counted for dedicated clients.",
            "bucket"),
    TIME_TO_FIRST_BYTE(
            "proxy_time_to_first_byte_seconds",
            Type.HISTOGRAM,
            "Time from sending a request to the first packet of its response; not counted for dedicated clients.",
            "bucket"),
    SLOW_REQUESTS("proxy_slow_requests_total", Type.COUNTER, "Requests that took as long as slow_request.", "bucket"),
    BYTES(
            "proxy_bytes_total",
            Type.COUNTER,
            "TDS bytes sent to and received from the server, without TLS overhead.",
            "bucket",
            "direction"),
    TDS_PACKETS(
            "proxy_tds_packets_total",
            Type.COUNTER,
            "TDS packets sent to and received from the server, by type; after the login, and not counted for dedicated clients.",
            "bucket",
            "direction",
            "type"),
    RESETS(
            "proxy_resets_total",
            Type.COUNTER,
            "Resets of server sessions: with_request, added to a client's request at no cost; own_message, in a message of Comporta's own; by_client, as the client asked.",
            "bucket",
            "type"),
    STATE_REPLAYS(
            "proxy_state_replays_total",
            Type.COUNTER,
            "Requests before which the client's settings had to be applied to another server connection.",
            "bucket"),
    OWN_ROUND_TRIPS(
            "proxy_own_round_trips_total",
            Type.COUNTER,
            "Round trips to the server that Comporta added, by reason: settings, prepare, probe, unprepare (a client waits for these); reset, roll_back, health_check, learn (no client does).",
            "bucket",
            "reason"),
    PINS(
            "proxy_pins_total",
            Type.COUNTER,
            "Pins: clients that had to keep their connection, by reason.",
            "bucket",
            "reason"),
    PINNED_SECONDS(
            "proxy_pinned_seconds_total",
            Type.COUNTER,
            "Total duration of pins, by reason; added when a pin ends.",
            "bucket",
            "reason"),
    PREPARED_TEXTS(
            "proxy_prepared_texts",
            Type.GAUGE,
            "Different statements that clients have prepared handles for.",
            "bucket"),
    PREPARED_BYTES(
            "proxy_prepared_text_bytes",
            Type.GAUGE,
            "Memory that the texts of prepared statements take; beyond 64 MiB, further statements pin their client.",
            "bucket"),
    PREPARED_EXECUTIONS(
            "proxy_prepared_executions_total",
            Type.COUNTER,
            "Executions of prepared statements: handle, where the server connection had the statement; text, where it was sent with its text instead.",
            "bucket",
            "way"),
    PREPARED_AGAIN(
            "proxy_prepared_again_total",
            Type.COUNTER,
            "Statements that Comporta prepared again on another server connection.",
            "bucket"),
    PREPARED_PINNING(
            "proxy_prepared_pinning_total",
            Type.COUNTER,
            "Handles of prepared statements that pinned their client.",
            "bucket"),
    RESERVOIR_EMPTY("proxy_reservoir_empty_total", Type.COUNTER, "Requests that found no ready connection.", "bucket"),
    RESERVOIR_REFILLS("proxy_reservoir_refills_total", Type.COUNTER, "Connections opened for the reservoir.", "bucket"),
    RESERVOIR_REFILL_FAILURES(
            "proxy_reservoir_refill_failures_total",
            Type.COUNTER,
            "Connections for the reservoir that could not be opened.",
            "bucket"),
    BUCKET_UP(
            "proxy_bucket_up",
            Type.GAUGE,
            "1 while the bucket's server is believed to be up; at 0 nothing is opened, and a request that finds no idle connection is refused.",
            "bucket"),
    BUCKET_FULL(
            "proxy_bucket_full",
            Type.GAUGE,
            "1 while the bucket's server takes no more connections: open ones serve, further ones are tried one at a time, and requests wait.",
            "bucket"),
    HEALTH_CHECKS(
            "proxy_health_checks_total",
            Type.COUNTER,
            "Health checks of idle connections, by result: success, failure.",
            "bucket",
            "result"),
    SNAPSHOT_AGE(
            "proxy_snapshot_age_seconds",
            Type.GAUGE,
            "Age of the bucket's figures; above one second, its event loop did not answer in time.",
            "bucket"),
    SLOTS_HELD(
            "proxy_slots_held",
            Type.GAUGE,
            "Slots held by each instance, as known to this instance.",
            "bucket",
            "instance"),
    SLOTS_WAITING("proxy_slots_waiting", Type.GAUGE, "Slots that each instance is waiting for.", "bucket", "instance"),
    SLOTS_LIMIT(
            "proxy_slots_limit",
            Type.GAUGE,
            "The limit in force in the fleet: the lowest configured, or the last change made at runtime.",
            "bucket"),
    SLOTS_LIMIT_DISPUTED(
            "proxy_slots_limit_disputed",
            Type.GAUGE,
            "1 while instances are configured with different limits, or one differs from the limit in force.",
            "bucket"),
    FALLBACK_ACTIVE(
            "proxy_fallback_active",
            Type.GAUGE,
            "1 while the bucket's lease has expired because the store of slots can't be reached, and only the fair share is used.",
            "bucket"),
    DEGRADED(
            "proxy_degraded",
            Type.GAUGE,
            "1 while calls to the store of slots fail for at least one bucket, even if its lease has not expired yet."),
    REDIS_OPERATIONS(
            "proxy_redis_operations_total",
            Type.COUNTER,
            "Calls to Redis, by operation and result (ok, refused, failed).",
            "operation",
            "status"),
    REDIS_LATENCY("proxy_redis_latency_seconds", Type.GAUGE, "Duration of the latest call that Redis answered."),
    DYNAMODB_OPERATIONS(
            "proxy_dynamodb_operations_total",
            Type.COUNTER,
            "Calls to the slots in DynamoDB, by operation and result (ok, refused, failed).",
            "operation",
            "status"),
    DYNAMODB_LATENCY(
            "proxy_dynamodb_latency_seconds",
            Type.GAUGE,
            "Duration of the latest call that DynamoDB answered: a read, and a write if there was something to write."),
    INSTANCE_HEARTBEAT(
            "proxy_instance_heartbeat",
            Type.GAUGE,
            "1 for each instance whose heartbeat is on time, 0 if it is overdue; a dead instance has no series.",
            "instance"),
    CONNECTIONS_REFUSED(
            "proxy_connections_refused_total",
            Type.COUNTER,
            "Connections of clients that were refused or closed before they were logged in, by reason.",
            "reason"),
    CERTIFICATE_EXPIRY(
            "proxy_certificate_expiry_timestamp_seconds",
            Type.GAUGE,
            "When the certificate that clients see expires, or the first of its chain, in seconds since 1970."),
    READY("proxy_ready", Type.GAUGE, "1 while clients may be sent to this instance, as /health/ready says."),
    CONFIG_RELOADS(
            "proxy_config_reloads_total",
            Type.COUNTER,
            "Reloads of the configuration, by result: applied, failed.",
            "result"),
    CONFIG_LAST_RELOAD_FAILED(
            "proxy_config_last_reload_failed",
            Type.GAUGE,
            "1 after a failed reload, while the configuration from before it is in force."),
    EVENT_LOOP_LAG(
            "proxy_event_loop_lag_seconds",
            Type.HISTOGRAM,
            "How late each event loop does what is due, measured ten times a second.",
            "loop"),
    BUFFER_MEMORY(
            "proxy_buffer_memory_bytes", Type.GAUGE, "Memory held for network buffers, by area: direct, heap.", "area"),
    BUFFER_MEMORY_MAX(
            "proxy_buffer_memory_max_bytes", Type.GAUGE, "The most direct memory that network buffers may take."),
    BUILD_INFO("proxy_build_info", Type.GAUGE, "Always 1; the labels tell what runs.", "version", "java"),
    MEMORY_USED("jvm_memory_used_bytes", Type.GAUGE, "Memory in use, by area: heap, nonheap, direct.", "area"),
    RESIDENT_MEMORY("process_resident_memory_bytes", Type.GAUGE, "Resident memory of the process."),
    CPU_SECONDS("process_cpu_seconds_total", Type.COUNTER, "CPU time used."),
    OPEN_FDS("process_open_fds", Type.GAUGE, "Open file descriptors."),
    MAX_FDS("process_max_fds", Type.GAUGE, "Maximum number of open file descriptors."),
    START_TIME("process_start_time_seconds", Type.GAUGE, "Start time of the process, in seconds since 1970.");

    /** How Prometheus takes it. */
    public enum Type {
        GAUGE,
        COUNTER,
        HISTOGRAM,
        SUMMARY
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

    @Override
    public String id() {
        return id;
    }

    @Override
    public Type type() {
        return type;
    }

    @Override
    public String help() {
        return help;
    }

    @Override
    public List<String> labels() {
        return labels;
    }
}
