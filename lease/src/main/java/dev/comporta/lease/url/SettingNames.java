package dev.comporta.lease.url;

/** How the settings of a store are named where they were set, for messages that say which one to correct. */
public enum SettingNames {
    /** Keys of the proxy's configuration, such as {@code redis.addr}. */
    KEYS,
    /** Parts of the URL in the property {@code leases}. */
    URL;

    /** The text for this way of naming them. */
    public String choose(String withKeys, String withUrl) {
        return switch (this) {
            case KEYS -> withKeys;
            case URL -> withUrl;
        };
    }
}
