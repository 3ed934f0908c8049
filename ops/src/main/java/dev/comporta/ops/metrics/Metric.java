package dev.comporta.ops.metrics;

import java.util.List;

/** All metrics. A test checks that docs/operations.md has the same table. */
public enum Metric implements Described {
    CONNECTIONS_ACTIVE("proxy_connections_active{bucket}", Type.GAUGE, "Server connections attached to a client."),
    CONNECTIONS_IDLE("proxy_connections_idle{bucket}", Type.GAUGE, "Server connections that are idle and ready."),
    CONNECTIONS_PINNED(
            "proxy_connections_pinned{bucket}",
            Type.GAUGE,
            "Active server connections that their clients must keep after a request, mostly for an open transaction."),
    CONNECTIONS_MAX(
            "proxy_connections_max{bucket}",
            Type.GAUGE,
            "The limit over all instances (max_connections), as configured here or raised at another instance."),
    CONNECTIONS_IN_STATE("proxy_connections_in_state{bucket, state}", Type.GAUGE, "Server connections by state."),
    CONNECTIONS_TOTAL(
            "proxy_connections_total{bucket, status}",
            Type.COUNTER,
            "Results of requests for a connection (acquired, released, timeout, queue_full, exhausted, unavailable, login_rejected, login_failed, removed, cancelled), and connections opened and closed."),
    CONNECTIONS_CLOSED(
            "proxy_connections_closed_total{bucket, reason}", Type.COUNTER, "Server connections closed, by reason."),
    CONNECTION_ERRORS(
            "proxy_connection_errors_total{bucket, reason}",
            Type.COUNTER,
            "Failures of server connections, by reason: create_failed, login_rejected, login_failed, full, no_credentials, reset_failed, validation_failed, lost."),
    CONNECT_DURATION(
            "proxy_connect_duration_seconds{bucket}",
            Type.HISTOGRAM,
            "Time to open a server connection, login included."),
    CLIENTS("proxy_clients{bucket}", Type.GAUGE, "Clients logged in."),
    LOGINS(
            "proxy_logins_total{bucket, type}",
            Type.COUNTER,
            "Clients logged in: known, without asking the server; checked, after the server checked their credentials; dedicated, on a connection of their own."),
    REFUSALS(
            "proxy_refusals_total{bucket, reason}",
            Type.COUNTER,
            "Errors that Comporta answered instead of the server, at login or later, by reason; the bucket is empty where none was found for the client."),
    CLIENT_TLS_HANDSHAKES(
            "proxy_client_tls_handshakes_total{result}",
            Type.COUNTER,
            "TLS handshakes with clients, by result: ok, failed."),
    SERVER_TLS_HANDSHAKES(
            "proxy_server_tls_handshakes_total{bucket, result}",
            Type.COUNTER,
            "TLS handshakes with the server, by result: ok, failed."),
    QUEUE_LENGTH("proxy_queue_length{bucket}", Type.GAUGE, "Requests waiting for a server connection."),
    QUEUE_WAIT(
            "proxy_queue_wait_duration_seconds{bucket}",
            Type.HISTOGRAM,
            "Queue time of requests that got a connection; 0 for those that got one at once."),
    QUEUE_WAIT_IN_VAIN(
            "proxy_queue_wait_in_vain_duration_seconds{bucket}",
            Type.HISTOGRAM,
            "Queue time of requests that were refused or cancelled."),
    QUERY_DURATION(
            "proxy_query_duration_seconds{bucket}",
            Type.HISTOGRAM,
            "Time from sending a request to the end of its response; not counted for dedicated clients."),
    TIME_TO_FIRST_BYTE(
            "proxy_time_to_first_byte_seconds{bucket}",
            Type.HISTOGRAM,
            "Time from sending a request to the first packet of its response; not counted for dedicated clients."),
    SLOW_REQUESTS("proxy_slow_requests_total{bucket}", Type.COUNTER, "Requests that took as long as slow_request."),
    BYTES(
            "proxy_bytes_total{bucket, direction}",
            Type.COUNTER,
            "TDS bytes sent to and received from the server, without TLS overhead."),
    TDS_PACKETS(
            "proxy_tds_packets_total{bucket, direction, type}",
            Type.COUNTER,
            "TDS packets sent to and received from the server, by type; after the login, and not counted for dedicated clients."),
    RESETS(
            "proxy_resets_total{bucket, type}",
            Type.COUNTER,
            "Resets of server sessions: with_request, added to a client's request at no cost; own_message, in a message of Comporta's own; by_client, as the client asked."),
    STATE_REPLAYS(
            "proxy_state_replays_total{bucket}",
            Type.COUNTER,
            "Requests before which the client's settings had to be applied to another server connection."),
    OWN_ROUND_TRIPS(
            "proxy_own_round_trips_total{bucket, reason}",
            Type.COUNTER,
            "Round trips to the server that Comporta added, by reason: settings, prepare, probe, unprepare (a client waits for these); reset, roll_back, health_check, learn (no client does)."),
    PINS(
            "proxy_pins_total{bucket, reason}",
            Type.COUNTER,
            "Pins: clients that had to keep their connection, by reason."),
    PINNED_SECONDS(
            "proxy_pinned_seconds_total{bucket, reason}",
            Type.COUNTER,
            "Total duration of pins, by reason; added when a pin ends."),
    PREPARED_TEXTS(
            "proxy_prepared_texts{bucket}", Type.GAUGE, "Different statements that clients have prepared handles for."),
    PREPARED_BYTES(
            "proxy_prepared_text_bytes{bucket}",
            Type.GAUGE,
            "Memory that the texts of prepared statements take; beyond 64 MiB, further statements pin their client."),
    PREPARED_EXECUTIONS(
            "proxy_prepared_executions_total{bucket, way}",
            Type.COUNTER,
            "Executions of prepared statements: handle, where the server connection had the statement; text, where it was sent with its text instead."),
    PREPARED_AGAIN(
            "proxy_prepared_again_total{bucket}",
            Type.COUNTER,
            "Statements that Comporta prepared again on another server connection."),
    PREPARED_PINNING(
            "proxy_prepared_pinning_total{bucket}",
            Type.COUNTER,
            "Handles of prepared statements that pinned their client."),
    RESERVOIR_EMPTY("proxy_reservoir_empty_total{bucket}", Type.COUNTER, "Requests that found no ready connection."),
    RESERVOIR_REFILLS("proxy_reservoir_refills_total{bucket}", Type.COUNTER, "Connections opened for the reservoir."),
    RESERVOIR_REFILL_FAILURES(
            "proxy_reservoir_refill_failures_total{bucket}",
            Type.COUNTER,
            "Connections for the reservoir that could not be opened."),
    BUCKET_UP(
            "proxy_bucket_up{bucket}",
            Type.GAUGE,
            "1 while the bucket's server counts as up; at 0 nothing is opened, and a request that finds no idle connection is refused."),
    BUCKET_FULL(
            "proxy_bucket_full{bucket}",
            Type.GAUGE,
            "1 while the bucket's server takes no more connections: open ones serve, further ones are tried one at a time, and requests wait."),
    HEALTH_CHECKS(
            "proxy_health_checks_total{bucket, result}",
            Type.COUNTER,
            "Health checks of idle connections, by result: success, failure."),
    SNAPSHOT_AGE(
            "proxy_snapshot_age_seconds{bucket}",
            Type.GAUGE,
            "Age of the bucket's figures; above one second, its event loop did not answer in time."),
    SLOTS_HELD(
            "proxy_slots_held{bucket, instance}",
            Type.GAUGE,
            "Slots held by each instance, as known to this instance."),
    SLOTS_WAITING("proxy_slots_waiting{bucket, instance}", Type.GAUGE, "Slots that each instance is waiting for."),
    SLOTS_LIMIT(
            "proxy_slots_limit{bucket}",
            Type.GAUGE,
            "The limit in force in the fleet: the lowest configured, or the last change made at runtime."),
    SLOTS_LIMIT_DISPUTED(
            "proxy_slots_limit_disputed{bucket}",
            Type.GAUGE,
            "1 while instances are configured with different limits, or one differs from the limit in force."),
    FALLBACK_ACTIVE(
            "proxy_fallback_active{bucket}",
            Type.GAUGE,
            "1 while the bucket's lease has expired because the store of slots can't be reached, and only the fair share is used."),
    DEGRADED(
            "proxy_degraded",
            Type.GAUGE,
            "1 while calls to the store of slots fail for at least one bucket, even if its lease has not expired yet."),
    REDIS_OPERATIONS(
            "proxy_redis_operations_total{operation, status}",
            Type.COUNTER,
            "Calls to Redis, by operation and result (ok, refused, failed)."),
    REDIS_LATENCY("proxy_redis_latency_seconds", Type.GAUGE, "Duration of the latest call that Redis answered."),
    DYNAMODB_OPERATIONS(
            "proxy_dynamodb_operations_total{operation, status}",
            Type.COUNTER,
            "Calls to the slots in DynamoDB, by operation and result (ok, refused, failed)."),
    DYNAMODB_LATENCY(
            "proxy_dynamodb_latency_seconds",
            Type.GAUGE,
            "Duration of the latest call that DynamoDB answered: a read, and a write if there was something to write."),
    INSTANCE_HEARTBEAT(
            "proxy_instance_heartbeat{instance}",
            Type.GAUGE,
            "1 for each instance whose heartbeat is on time, 0 if it is overdue; a dead instance has no series."),
    CONNECTIONS_REFUSED(
            "proxy_connections_refused_total{reason}",
            Type.COUNTER,
            "Connections of clients that were refused or closed before they were logged in, by reason."),
    CERTIFICATE_EXPIRY(
            "proxy_certificate_expiry_timestamp_seconds",
            Type.GAUGE,
            "When the certificate that clients see expires, or the first of its chain, in seconds since 1970."),
    READY("proxy_ready", Type.GAUGE, "1 while clients may be sent to this instance, as /health/ready says."),
    CONFIG_RELOADS(
            "proxy_config_reloads_total{result}",
            Type.COUNTER,
            "Reloads of the configuration, by result: applied, failed."),
    CONFIG_LAST_RELOAD_FAILED(
            "proxy_config_last_reload_failed",
            Type.GAUGE,
            "1 after a failed reload, while the configuration from before it is in force."),
    EVENT_LOOP_LAG(
            "proxy_event_loop_lag_seconds{loop}",
            Type.HISTOGRAM,
            "How late each event loop runs due tasks, measured ten times a second."),
    BUFFER_MEMORY(
            "proxy_buffer_memory_bytes{area}", Type.GAUGE, "Memory held for network buffers, by area: direct, heap."),
    BUFFER_MEMORY_MAX(
            "proxy_buffer_memory_max_bytes", Type.GAUGE, "The most direct memory that network buffers may take."),
    BUILD_INFO("proxy_build_info{version, java}", Type.GAUGE, "Always 1; the labels have the versions."),
    MEMORY_USED("jvm_memory_used_bytes{area}", Type.GAUGE, "Memory in use, by area: heap, nonheap, direct."),
    RESIDENT_MEMORY("process_resident_memory_bytes", Type.GAUGE, "Resident memory of the process."),
    CPU_SECONDS("process_cpu_seconds_total", Type.COUNTER, "CPU time used."),
    OPEN_FDS("process_open_fds", Type.GAUGE, "Open file descriptors."),
    MAX_FDS("process_max_fds", Type.GAUGE, "Maximum number of open file descriptors."),
    START_TIME("process_start_time_seconds", Type.GAUGE, "Start time of the process, in seconds since 1970.");

    /** The metric types of Prometheus that are used. */
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

    Metric(String series, Type type, String help) {
        this.id = Described.id(series);
        this.type = type;
        this.help = help;
        this.labels = Described.labels(series);
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
