package dev.comporta.lease.redis;

import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.store.Announcement;
import dev.comporta.lease.store.ConnectPermits;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LeaseStore;
import dev.comporta.lease.url.SettingNames;
import dev.comporta.pool.settings.ConnectRateSettings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The books in Redis: one key for each bucket, which a script reads and writes in one step. */
public final class RedisLeaseStore implements LeaseStore {
    private static final Duration MEND_PAUSE = Duration.ofMillis(500);

    private final String instance;
    private final long ttlMillis;
    private final String keyPrefix;
    private final RedisTrouble trouble;
    private final RedisLink link;
    private final Map<String, Consumer<Announcement>> listeners = new ConcurrentHashMap<>();
    private final Thread mender;
    private volatile boolean closed;

    /** Begins to connect, without waiting. The standing of the leases shows whether Redis can be reached. */
    public static RedisLeaseStore connect(LeaseSettings settings, RedisEndpoint redis) {
        return connect(settings, redis, SettingNames.KEYS);
    }

    /** @param names the names of the settings that the endpoint was made of */
    static RedisLeaseStore connect(LeaseSettings settings, RedisEndpoint redis, SettingNames names) {
        return new RedisLeaseStore(settings, within(settings, redis), new RedisTrouble(names));
    }

    static RedisEndpoint within(LeaseSettings settings, RedisEndpoint redis) {
        return redis.withTimeoutsAtMost(settings.longestCall());
    }

    private RedisLeaseStore(LeaseSettings settings, RedisEndpoint redis, RedisTrouble trouble) {
        this.trouble = trouble;
        instance = settings.instance();
        ttlMillis = settings.timeToLive().toMillis();
        keyPrefix = redis.keyPrefix();
        link = new RedisLink(redis, trouble, this::heard);
        mender = Thread.ofVirtual().name("comporta-lease-connect").start(this::mend);
    }

    /** The braces are a hash tag of Redis Cluster: all keys and channels of a bucket are in one hash slot. */
    private String tag(String bucket) {
        return keyPrefix + ":{" + bucket + "}:";
    }

    RedisLink link() {
        return link;
    }

    private String channelPrefix(String bucket) {
        return tag(bucket) + "to:";
    }

    String channel(String bucket) {
        return channelPrefix(bucket) + instance;
    }

    @Override
    public CompletionStage<LeaseReply> call(String bucket, LeaseCall call) {
        return link.run(LeaseScript.LEASE, tag(bucket) + "slots", arguments(bucket, call))
                .thenApply(LeaseMessages::reply);
    }

    @Override
    public CompletionStage<LeaseReply> post(String bucket, LeaseCall call) {
        return link.post(LeaseScript.LEASE, tag(bucket) + "slots", arguments(bucket, call))
                .thenApply(LeaseMessages::reply);
    }

    private String[] arguments(String bucket, LeaseCall call) {
        return LeaseMessages.arguments(instance, channelPrefix(bucket), link.isCluster(), call, ttlMillis);
    }

    @Override
    public void sendPosted() {
        link.sendPosted();
    }

    @Override
    public CompletionStage<ConnectPermits> connects(
            String bucket, int wanted, ConnectRateSettings rate, Duration counts) {
        long askedAt = System.nanoTime();
        return link.run(
                        LeaseScript.CONNECTS,
                        tag(bucket) + "connects",
                        tag(bucket) + "connects:window",
                        Integer.toString(wanted),
                        Integer.toString(rate.perSecond()),
                        Integer.toString(rate.burst()),
                        Long.toString(TimeUnit.NANOSECONDS.toMicros(counts.toNanos())))
                .thenApply(fields -> LeaseMessages.permits(fields, System.nanoTime() - askedAt));
    }

    @Override
    public void listen(String bucket, Consumer<Announcement> listener) {
        listeners.put(channel(bucket), listener);
        link.listen(channel(bucket));
    }

    @Override
    public void ignore(String bucket) {
        listeners.remove(channel(bucket));
        link.ignore(channel(bucket));
    }

    private void heard(String channel, String text) {
        Consumer<Announcement> listener = listeners.get(channel);
        if (listener != null) {
            listener.accept(LeaseMessages.announcement(text));
        }
    }

    @Override
    public boolean isConnecting() {
        return link.isConnecting();
    }

    @Override
    public String explain(Throwable failure) {
        return trouble.of(failure);
    }

    private void mend() {
        try {
            while (!closed) {
                link.mend();
                Thread.sleep(MEND_PAUSE);
            }
        } catch (InterruptedException _) {
            // closed
        }
    }

    @Override
    public void close() {
        closed = true;
        mender.interrupt();
        link.close();
    }
}
