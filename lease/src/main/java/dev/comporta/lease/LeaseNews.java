package dev.comporta.lease;

/** Receives the changes of a bucket's lease. Called on the bucket's thread: it must not block. */
public interface LeaseNews {
    /** Ignores all news. */
    LeaseNews NONE = new LeaseNews() {
        @Override
        public void expired(String bucket, int connections) {}

        @Override
        public void standing(String bucket, LeaseView.Standing now, LeaseView.Standing before) {}
    };

    /** @param connections how many server connections are closed, because they have no slot any more */
    void expired(String bucket, int connections);

    /** This instance's standing towards the store has changed. */
    void standing(String bucket, LeaseView.Standing now, LeaseView.Standing before);
}
