package dev.comporta.ops.route;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses a client's bucket from its login: by database, then server name, user, listener, and finally the default bucket.
 * Immutable, safe for any thread; a new one is made when the configuration changes.
 */
public final class Router {
    private final List<String> buckets;
    private final Map<Route.Rule, NameDirectory> directories;
    private final NameDirectory ambiguousDatabases;
    private final Optional<String> defaultBucket;

    /**
     * @param buckets their ids; the directories hold indexes into this list
     * @param ambiguousDatabases databases that several buckets name, so that they can't decide
     */
    public Router(
            List<String> buckets,
            Map<Route.Rule, NameDirectory> directories,
            NameDirectory ambiguousDatabases,
            Optional<String> defaultBucket) {
        this.buckets = List.copyOf(buckets);
        this.directories = Map.copyOf(directories);
        this.ambiguousDatabases = ambiguousDatabases;
        this.defaultBucket = defaultBucket;
    }

    /**
     * @param database as the login names it; empty when it names none
     * @param serverName the name that the client dialled, as the login repeats it: {@code host}, {@code host,port},
     *     {@code host\instance}
     * @param listener the name of the listener that accepted the client
     */
    public Route route(CharSequence database, CharSequence serverName, CharSequence user, CharSequence listener) {
        int bucket = find(Route.Rule.DATABASE, database);
        if (bucket != NameDirectory.NONE) {
            return to(bucket, Route.Rule.DATABASE);
        }
        bucket = findServer(serverName);
        if (bucket != NameDirectory.NONE) {
            return to(bucket, Route.Rule.SERVER_NAME);
        }
        bucket = find(Route.Rule.USER, user);
        if (bucket != NameDirectory.NONE) {
            return to(bucket, Route.Rule.USER);
        }
        bucket = find(Route.Rule.LISTENER, listener);
        if (bucket != NameDirectory.NONE) {
            return to(bucket, Route.Rule.LISTENER);
        }
        return defaultBucket
                .<Route>map(id -> new Route.To(id, Route.Rule.DEFAULT_BUCKET))
                .orElseGet(() -> new Route.None(reason(database, serverName, user)));
    }

    private Route to(int bucket, Route.Rule rule) {
        return new Route.To(buckets.get(bucket), rule);
    }

    private int find(Route.Rule rule, CharSequence name) {
        return find(rule, name, 0, name.length());
    }

    private int find(Route.Rule rule, CharSequence text, int from, int to) {
        NameDirectory directory = directories.get(rule);
        return directory == null || from == to ? NameDirectory.NONE : directory.find(text, from, to);
    }

    // tcp:host\instance,port: the protocol and the port are ignored, the instance may distinguish servers.
    private int findServer(CharSequence serverName) {
        int from = indexOf(serverName, ':', 0) + 1;
        int to = serverName.length();
        if (from > 1 && !isProtocol(serverName, from - 1)) {
            from = 0;
        }
        int comma = indexOf(serverName, ',', from);
        if (comma >= 0) {
            to = comma;
        }
        int bucket = find(Route.Rule.SERVER_NAME, serverName, from, to);
        int backslash = indexOf(serverName, '\\', from);
        if (bucket == NameDirectory.NONE && backslash >= 0 && backslash < to) {
            return find(Route.Rule.SERVER_NAME, serverName, from, backslash);
        }
        return bucket;
    }

    // An IPv6 address has colons too.
    private static boolean isProtocol(CharSequence text, int length) {
        String word = text.subSequence(0, length).toString();
        return word.equalsIgnoreCase("tcp") || word.equalsIgnoreCase("np") || word.equalsIgnoreCase("admin");
    }

    private static int indexOf(CharSequence text, char wanted, int from) {
        for (int i = from; i < text.length(); i++) {
            if (text.charAt(i) == wanted) {
                return i;
            }
        }
        return -1;
    }

    private String reason(CharSequence database, CharSequence serverName, CharSequence user) {
        String asked = (database.isEmpty() ? "no database" : "database '" + database + "'") + ", server name '"
                + serverName + "', user '" + user + "'";
        if (!database.isEmpty() && ambiguousDatabases.find(database) != NameDirectory.NONE) {
            return "Several buckets have this database and nothing else tells them apart (" + asked
                    + "). Connect by a name listed in a bucket's server_names.";
        }
        return "No bucket is configured for this login (" + asked
                + "). Check the connection string, or have the database added to a bucket.";
    }

    /** The databases that lead to a bucket: names and patterns together. */
    public int databaseCount() {
        NameDirectory databases = directories.get(Route.Rule.DATABASE);
        return databases == null ? 0 : databases.size();
    }
}
