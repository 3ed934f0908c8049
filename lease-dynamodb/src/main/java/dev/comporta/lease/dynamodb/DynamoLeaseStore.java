package dev.comporta.lease.dynamodb;

import dev.comporta.lease.BookKeeper;
import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.store.Announcement;
import dev.comporta.lease.store.ConnectPermits;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LeaseStore;
import dev.comporta.lease.url.SettingNames;
import dev.comporta.pool.settings.ConnectRateSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * The books in DynamoDB: one item for each bucket, written by compare-and-set, and one beat for each instance. Requests run on
 * virtual threads.
 */
public final class DynamoLeaseStore implements LeaseStore {
    private static final Logger log = LoggerFactory.getLogger(DynamoLeaseStore.class);

    /** How often beats and announcements are read: while this instance waits in line for slots, and otherwise. */
    private static final Duration LOOK_IN_LINE = Duration.ofMillis(250);

    private static final Duration LOOK = Duration.ofSeconds(1);

    private record Posted(DynamoBook book, LeaseCall call, long askedAt, CompletableFuture<LeaseReply> answer) {}

    private final LeaseSettings settings;
    private final LeaseClock clock;
    private final DynamoTrouble trouble;
    private final DynamoTable table;
    private final Heart heart;
    private final Inbox inbox;
    private final Map<String, DynamoBook> books = new ConcurrentHashMap<>();
    private final Map<String, ConnectRate> rates = new ConcurrentHashMap<>();
    /** {@code BYE} calls that failed. The entries that they should remove are kept alive by beats, so they are repeated. */
    private final Map<String, LeaseCall> failedByes = new ConcurrentHashMap<>();

    private final RandomGenerator random = RandomGenerator.getDefault();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private List<Posted> posted = new ArrayList<>();
    private volatile boolean connecting = true;
    private volatile boolean closed;

    /** Begins to connect, without waiting. The standing of the leases shows whether DynamoDB can be reached. */
    public static DynamoLeaseStore connect(LeaseSettings settings, DynamoEndpoint endpoint) {
        return connect(settings, endpoint, SettingNames.KEYS);
    }

    /** @param names the names of the settings that the endpoint was made of */
    static DynamoLeaseStore connect(LeaseSettings settings, DynamoEndpoint endpoint, SettingNames names) {
        return connect(settings, endpoint, names, new LeaseClock(), List.of());
    }

    /** For tests: with a clock that they set, and interceptors that change requests and answers. */
    static DynamoLeaseStore connect(
            LeaseSettings settings,
            DynamoEndpoint endpoint,
            SettingNames names,
            LeaseClock clock,
            List<ExecutionInterceptor> interceptors) {
        return new DynamoLeaseStore(
                settings, endpoint.withTimeoutsAtMost(settings.longestCall()), names, clock, interceptors);
    }

    private DynamoLeaseStore(
            LeaseSettings settings,
            DynamoEndpoint endpoint,
            SettingNames names,
            LeaseClock clock,
            List<ExecutionInterceptor> interceptors) {
        this.settings = settings;
        this.clock = clock;
        trouble = new DynamoTrouble(endpoint, names);
        table = new DynamoTable(endpoint, settings.timeToLive(), interceptors);
        inbox = new Inbox(table, settings.instance());
        heart = new Heart(
                table,
                settings,
                clock,
                () -> books.values().stream().map(book -> book.keeper).toList());
        threads.execute(this::look);
    }

    @Override
    public CompletionStage<LeaseReply> call(String bucket, LeaseCall call) {
        long askedAt = clock.now();
        DynamoBook book = book(bucket);
        if (call.form() == LeaseCall.Form.BYE) {
            return inTime(run(() -> book.call(call, askedAt, null))).whenComplete((reply, _) -> {
                if (reply == null) {
                    failedByes.put(bucket, call);
                }
            });
        }
        failedByes.remove(bucket);
        return inTime(run(() -> book.call(call, askedAt, null)));
    }

    /**
     * A call may take several requests, and each may have to wait for those of other buckets. It fails when the time for
     * all of that has passed, and may be carried out after that.
     */
    private <T> CompletableFuture<T> inTime(CompletableFuture<T> call) {
        return call.orTimeout(settings.longestCall().toNanos(), TimeUnit.NANOSECONDS);
    }

    private DynamoBook book(String bucket) {
        return books.computeIfAbsent(
                bucket, id -> new DynamoBook(id, table, heart, settings, clock, ruling -> announce(id, ruling)));
    }

    private void announce(String bucket, BookKeeper.Ruling ruling) {
        var _ = run(() -> {
            quietly(
                    "announce",
                    () -> ruling.announcements().forEach(note -> inbox.send(bucket, note, ruling.writes())));
            return bucket;
        });
    }

    @Override
    public synchronized CompletionStage<LeaseReply> post(String bucket, LeaseCall call) {
        CompletableFuture<LeaseReply> answer = new CompletableFuture<>();
        posted.add(new Posted(book(bucket), call, clock.now(), answer));
        return inTime(answer);
    }

    /** Writes one beat, which proves for all these calls that this instance lives, and reads their books together. */
    @Override
    public void sendPosted() {
        List<Posted> all = takePosted();
        if (all.isEmpty()) {
            return;
        }
        var _ = run(() -> despiteThrottling(() -> {
                    heart.beat();
                    return readBooks(all);
                }))
                .whenComplete((items, failure) -> all.forEach(p -> {
                    if (failure == null) {
                        answer(p, items.get(p.book.key()));
                    } else {
                        p.answer.completeExceptionally(failure);
                    }
                }));
    }

    private <T> T despiteThrottling(Supplier<T> requests) {
        Pauses pauses = new Pauses(settings.longestCall(), random);
        while (true) {
            try {
                return requests.get();
            } catch (AwsServiceException e) {
                if (!e.isThrottlingException()) {
                    throw e;
                }
                pauses.afterOrThrow(e);
            }
        }
    }

    private Map<Items.Key, DynamoBook.Read> readBooks(List<Posted> of) {
        Map<Items.Key, DynamoBook.Read> found = new HashMap<>();
        table.getAll(of.stream().map(p -> p.book.key()).toList())
                .forEach((key, item) -> found.put(key, new DynamoBook.Read(item)));
        return found;
    }

    /** @param read null if DynamoDB left it unprocessed */
    private void answer(Posted p, DynamoBook.@Nullable Read read) {
        var _ = run(() -> p.book.call(p.call, p.askedAt, read)).whenComplete((reply, failure) -> {
            if (failure == null) {
                p.answer.complete(reply);
            } else {
                p.answer.completeExceptionally(failure);
            }
        });
    }

    private synchronized List<Posted> takePosted() {
        if (posted.isEmpty()) {
            return List.of();
        }
        List<Posted> taken = posted;
        posted = new ArrayList<>();
        return taken;
    }

    private <T> CompletableFuture<T> run(Supplier<T> work) {
        try {
            return CompletableFuture.supplyAsync(work, threads);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(new CancellationException("the store is closed"));
        }
    }

    @Override
    public CompletionStage<ConnectPermits> connects(
            String bucket, int wanted, ConnectRateSettings rate, Duration counts) {
        ConnectRate of = rates.computeIfAbsent(bucket, id -> new ConnectRate(id, table, settings.longestCall()));
        return inTime(run(() -> of.ask(wanted, rate, counts)));
    }

    @Override
    public void listen(String bucket, Consumer<Announcement> listener) {
        BookKeeper keeper = book(bucket).keeper;
        inbox.listen(bucket, keeper, listener);
    }

    @Override
    public void ignore(String bucket) {
        inbox.ignore(bucket);
        rates.remove(bucket);
        if (!failedByes.containsKey(bucket)) {
            books.remove(bucket);
        }
    }

    @Override
    public boolean isConnecting() {
        return connecting;
    }

    @Override
    public String explain(Throwable failure) {
        return trouble.of(failure);
    }

    private void look() {
        quietly("find the table", table::identity);
        connecting = false;
        while (!closed) {
            boolean isInLine = books.values().stream().anyMatch(DynamoBook::isWaiting);
            try {
                Pauses.sleep(isInLine ? LOOK_IN_LINE : LOOK);
            } catch (CancellationException e) {
                return;
            }
            quietly("read beats and announcements", () -> {
                heart.look();
                inbox.read();
            });
            failedByes.forEach(this::repeatBye);
        }
    }

    private void repeatBye(String bucket, LeaseCall bye) {
        quietly("repeat a BYE call", () -> {
            book(bucket).call(bye, clock.now(), null);
            failedByes.remove(bucket, bye);
        });
    }

    /** Work that fails here is repeated soon; the leases' own calls report the reason. */
    private void quietly(String what, Runnable work) {
        try {
            work.run();
        } catch (SdkException | IllegalStateException | RejectedExecutionException | LinkageError e) {
            // Rejected: by the timer of the SDK, whose client is closed meanwhile.
            if (!closed) {
                log.debug("could not {}: {}", what, trouble.of(e));
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
        table.close();
    }
}
