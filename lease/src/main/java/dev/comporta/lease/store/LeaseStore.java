package dev.comporta.lease.store;

import dev.comporta.pool.settings.ConnectRateSettings;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The fleet's books, one for each bucket, as one instance reaches them. Any thread; nothing blocks but {@link #close}. A
 * call that failed may have been carried out, and is not retried here: its caller sends the totals again.
 */
public interface LeaseStore extends AutoCloseable {
    /** Calls at once. */
    CompletionStage<LeaseReply> call(String bucket, LeaseCall call);

    /** Calls with the next {@link #sendPosted}, together with all that were posted since the last one. */
    CompletionStage<LeaseReply> post(String bucket, LeaseCall call);

    void sendPosted();

    /**
     * Asks for permits to connect, out of the rate that all instances share: at no time do more of them count than the rate
     * allows in a second.
     *
     * @param counts for how long each of them counts: a second, and as long as it may take from the grant to the connect
     */
    CompletionStage<ConnectPermits> connects(String bucket, int wanted, ConnectRateSettings rate, Duration counts);

    /** Delivers announcements. They may be lost: their content is in the next reply too. */
    void listen(String bucket, Consumer<Announcement> listener);

    void ignore(String bucket);

    /** Whether it is not yet known if the store can be reached. */
    boolean isConnecting();

    /** Why a call failed, and what to do about it. */
    String explain(Throwable failure);

    /** Calls fail from now on. May be called again. */
    @Override
    void close();
}
