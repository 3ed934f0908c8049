package dev.comporta.lease;

/** Told what becomes of a bucket's lease. Called on the bucket's thread: it must not block. */
public interface LeaseNews {
    /** Ignores all news. */
    LeaseNews NONE = new LeaseNews() {
        @Override
        public void expired(String bucket, int connections) {}

        @Override
        public void standing(String bucket, LeaseView.Standing now, LeaseView.Standing before) {}
    };

    /** @param connections server connections that are closed, because they have no slot any more */
    void expired(String bucket, int connections);

    /** How this instance stands with the store has changed. */
    void standing(String bucket, LeaseView.Standing now, LeaseView.Standing before);
}
