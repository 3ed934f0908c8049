package dev.comporta.jdbc;

import dev.comporta.jdbc.config.Setting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a data source as properties of a bean, for frameworks that set them by name. docs/embedded.md has the table.
 * Those that a running pool can change take effect at once; the others throw once it runs.
 */
abstract class DataSourceBean {
    abstract void set(Setting setting, @Nullable String value);

    abstract @Nullable String get(Setting setting);

    private void set(Setting setting, Duration value) {
        set(setting, value.toNanos() + "ns");
    }

    public void setJdbcUrl(@Nullable String value) {
        set(Setting.JDBC_URL, value);
    }

    public @Nullable String getJdbcUrl() {
        return get(Setting.JDBC_URL);
    }

    public void setUsername(@Nullable String value) {
        set(Setting.USERNAME, value);
    }

    public @Nullable String getUsername() {
        return get(Setting.USERNAME);
    }

    public void setPassword(@Nullable String value) {
        set(Setting.PASSWORD, value);
    }

    public void setDriverClassName(@Nullable String value) {
        set(Setting.DRIVER_CLASS_NAME, value);
    }

    public @Nullable String getDriverClassName() {
        return get(Setting.DRIVER_CLASS_NAME);
    }

    public void setPoolName(@Nullable String value) {
        set(Setting.POOL_NAME, value);
    }

    public @Nullable String getPoolName() {
        return get(Setting.POOL_NAME);
    }

    public void setMaximumPoolSize(int value) {
        set(Setting.MAXIMUM_POOL_SIZE, Integer.toString(value));
    }

    public void setMinimumIdle(int value) {
        set(Setting.MINIMUM_IDLE, Integer.toString(value));
    }

    public void setConnectionTimeout(Duration value) {
        set(Setting.CONNECTION_TIMEOUT, value);
    }

    public void setConnectTimeout(Duration value) {
        set(Setting.CONNECT_TIMEOUT, value);
    }

    public void setQueryTimeout(Duration value) {
        set(Setting.QUERY_TIMEOUT, value);
    }

    public void setMaxQueueSize(int value) {
        set(Setting.MAX_QUEUE_SIZE, Integer.toString(value));
    }

    public void setWhenDown(@Nullable String value) {
        set(Setting.WHEN_DOWN, value);
    }

    public @Nullable String getWhenDown() {
        return get(Setting.WHEN_DOWN);
    }

    public void setExhaustionPolicy(@Nullable String value) {
        set(Setting.EXHAUSTION_POLICY, value);
    }

    public @Nullable String getExhaustionPolicy() {
        return get(Setting.EXHAUSTION_POLICY);
    }

    public void setOverflowConnections(int value) {
        set(Setting.OVERFLOW_CONNECTIONS, Integer.toString(value));
    }

    public void setIdleTimeout(Duration value) {
        set(Setting.IDLE_TIMEOUT, value);
    }

    public void setMaxLifetime(Duration value) {
        set(Setting.MAX_LIFETIME, value);
    }

    public void setLifetimeJitter(Duration value) {
        set(Setting.LIFETIME_JITTER, value);
    }

    public void setGuardWindow(Duration value) {
        set(Setting.GUARD_WINDOW, value);
    }

    public void setReplaceAhead(Duration value) {
        set(Setting.REPLACE_AHEAD, value);
    }

    public void setTargetReady(int value) {
        set(Setting.TARGET_READY, Integer.toString(value));
    }

    public void setLowWatermark(int value) {
        set(Setting.LOW_WATERMARK, Integer.toString(value));
    }

    public void setConnectRate(int value) {
        set(Setting.CONNECT_RATE, Integer.toString(value));
    }

    public void setConnectBurst(int value) {
        set(Setting.CONNECT_BURST, Integer.toString(value));
    }

    public void setEnableHealthCheck(boolean value) {
        set(Setting.ENABLE_HEALTH_CHECK, Boolean.toString(value));
    }

    public void setKeepaliveTime(Duration value) {
        set(Setting.KEEPALIVE_TIME, value);
    }

    public void setValidationTimeout(Duration value) {
        set(Setting.VALIDATION_TIMEOUT, value);
    }

    public void setValidationInterval(Duration value) {
        set(Setting.VALIDATION_INTERVAL, value);
    }

    public void setValidateOnAcquire(boolean value) {
        set(Setting.VALIDATE_ON_ACQUIRE, Boolean.toString(value));
    }

    public void setValidateOnRelease(boolean value) {
        set(Setting.VALIDATE_ON_RELEASE, Boolean.toString(value));
    }

    public void setHealthCheckType(@Nullable String value) {
        set(Setting.HEALTH_CHECK_TYPE, value);
    }

    public @Nullable String getHealthCheckType() {
        return get(Setting.HEALTH_CHECK_TYPE);
    }

    public void setConnectionTestQuery(@Nullable String value) {
        set(Setting.CONNECTION_TEST_QUERY, value);
    }

    public @Nullable String getConnectionTestQuery() {
        return get(Setting.CONNECTION_TEST_QUERY);
    }

    public void setFailureThreshold(int value) {
        set(Setting.FAILURE_THRESHOLD, Integer.toString(value));
    }

    public void setRecoveryThreshold(int value) {
        set(Setting.RECOVERY_THRESHOLD, Integer.toString(value));
    }

    public void setResetOnRelease(boolean value) {
        set(Setting.RESET_ON_RELEASE, Boolean.toString(value));
    }

    public void setLeakDetectionThreshold(Duration value) {
        set(Setting.LEAK_DETECTION_THRESHOLD, value);
    }

    public void setProfile(@Nullable String value) {
        set(Setting.PROFILE, value);
    }

    public @Nullable String getProfile() {
        return get(Setting.PROFILE);
    }

    /** The URL may contain a password, so it can't be read. */
    public void setLeases(@Nullable String value) {
        set(Setting.LEASES, value);
    }

    public void setFleetLimit(int value) {
        set(Setting.FLEET_LIMIT, Integer.toString(value));
    }

    public void setInstanceId(@Nullable String value) {
        set(Setting.INSTANCE_ID, value);
    }

    public @Nullable String getInstanceId() {
        return get(Setting.INSTANCE_ID);
    }

    public void setHeartbeatInterval(Duration value) {
        set(Setting.HEARTBEAT_INTERVAL, value);
    }

    public void setHeartbeatTtl(Duration value) {
        set(Setting.HEARTBEAT_TTL, value);
    }

    public void setFallback(boolean value) {
        set(Setting.FALLBACK, Boolean.toString(value));
    }

    public void setLocalLimitDivisor(int value) {
        set(Setting.LOCAL_LIMIT_DIVISOR, Integer.toString(value));
    }

    public void setConnectionInitSql(@Nullable String value) {
        set(Setting.CONNECTION_INIT_SQL, value);
    }

    public @Nullable String getConnectionInitSql() {
        return get(Setting.CONNECTION_INIT_SQL);
    }

    public void setAutoCommit(boolean value) {
        set(Setting.AUTO_COMMIT, Boolean.toString(value));
    }

    public void setReadOnly(boolean value) {
        set(Setting.READ_ONLY, Boolean.toString(value));
    }

    public void setTransactionIsolation(@Nullable String value) {
        set(Setting.TRANSACTION_ISOLATION, value);
    }

    public @Nullable String getTransactionIsolation() {
        return get(Setting.TRANSACTION_ISOLATION);
    }

    public void setCatalog(@Nullable String value) {
        set(Setting.CATALOG, value);
    }

    public @Nullable String getCatalog() {
        return get(Setting.CATALOG);
    }

    public void setSchema(@Nullable String value) {
        set(Setting.SCHEMA, value);
    }

    public @Nullable String getSchema() {
        return get(Setting.SCHEMA);
    }

    public void setWarmupOnCreate(boolean value) {
        set(Setting.WARMUP_ON_CREATE, Boolean.toString(value));
    }

    public void setWarmupConnections(int value) {
        set(Setting.WARMUP_CONNECTIONS, Integer.toString(value));
    }

    public void setInitializationFailTimeout(Duration value) {
        set(Setting.INITIALIZATION_FAIL_TIMEOUT, value);
    }

    public void setShutdownTimeout(Duration value) {
        set(Setting.SHUTDOWN_TIMEOUT, value);
    }

    public void setCollectQueryStats(boolean value) {
        set(Setting.COLLECT_QUERY_STATS, Boolean.toString(value));
    }

    public void setRegisterMbeans(boolean value) {
        set(Setting.REGISTER_MBEANS, Boolean.toString(value));
    }

    /** A synonym of {@link #setJdbcUrl}. */
    public void setUrl(@Nullable String value) {
        setJdbcUrl(value);
    }

    public @Nullable String getUrl() {
        return getJdbcUrl();
    }

    /** A synonym of {@link #setUsername}. */
    public void setUser(@Nullable String value) {
        setUsername(value);
    }
}
