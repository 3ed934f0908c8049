package dev.comporta.ops.config.fleet;

/** Where the slots of all buckets are counted. */
public enum LeasesIn {
    /** In this process only, for a single instance. */
    LOCAL("this process"),
    REDIS("Redis"),
    DYNAMODB("DynamoDB");

    private final String title;

    LeasesIn(String title) {
        this.title = title;
    }

    /** As messages name it. */
    public String title() {
        return title;
    }
}
