package dev.comporta.jdbc.config;

import dev.comporta.console.names.NearestName;
import dev.comporta.jdbc.dialect.Dialect;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A foreign data wrapper: which kind of database a server is, and how its JDBC URL is made of host, port and database. Each
 * part is checked or encoded, so that a name can't add parameters of the driver.
 */
@SuppressWarnings("ImmutableEnumChecker") // List.of makes immutable lists
enum Wrapper {
    POSTGRESQL(Dialect.POSTGRESQL, "postgresql", "postgres"),
    MYSQL(Dialect.MYSQL, "mysql"),
    MARIADB(Dialect.MYSQL, "mariadb"),
    SQL_SERVER(Dialect.SQL_SERVER, "mssql", "sqlserver", "tds"),
    FIREBIRD(Dialect.FIREBIRD, "firebird"),
    H2(Dialect.H2, "h2"),
    /** Any database, by its complete URL. */
    JDBC(Dialect.GENERIC, "jdbc");

    private static final String SUFFIX = "_fdw";
    private static final Pattern HOST = Pattern.compile("[\\p{L}\\p{N}._-]+");
    private static final Pattern IPV6 = Pattern.compile("\\[?([0-9a-fA-F:.]*:[0-9a-fA-F:.%\\w]*)]?");

    private final Dialect dialect;
    private final List<String> names;

    Wrapper(Dialect dialect, String... names) {
        this.dialect = dialect;
        this.names = List.of(names);
    }

    /** {@code postgresql_fdw}, or {@code postgresql}. */
    static Wrapper named(String name) {
        String lower = name.strip().toLowerCase(Locale.ROOT);
        String plain = lower.endsWith(SUFFIX) ? lower.substring(0, lower.length() - SUFFIX.length()) : lower;
        List<String> known = new ArrayList<>();
        for (Wrapper wrapper : values()) {
            if (wrapper.names.contains(plain)) {
                return wrapper;
            }
            known.addAll(wrapper.names);
        }
        throw new IllegalArgumentException("there is no wrapper " + name + ": "
                + NearestName.among(known, plain)
                        .map(near -> "did you mean " + near + SUFFIX + "?")
                        .orElse("use one of " + String.join("_fdw, ", known) + SUFFIX));
    }

    /** Accepts a URL of an unknown kind of database, and refuses one of another known kind. */
    void check(String jdbcUrl) {
        String[] parts = jdbcUrl.split(":", 3);
        // By the protocol alone: the dialect may depend on the host too, and the wrapper does not.
        Dialect ofUrl = parts.length < 3 ? Dialect.GENERIC : Dialect.of("jdbc:" + parts[1] + ":");
        if (this != JDBC && ofUrl != Dialect.GENERIC && ofUrl != dialect) {
            throw new IllegalArgumentException("wrapper is " + names.getFirst() + SUFFIX + ", and jdbcUrl is for "
                    + ofUrl.type() + ": correct one of them, or leave the wrapper out");
        }
    }

    String url(@Nullable String host, @Nullable String port, @Nullable String dbname) {
        if (this == JDBC) {
            throw new IllegalArgumentException(
                    "wrapper jdbc_fdw needs jdbcUrl: set it instead of host, port and dbname");
        }
        if (host == null && this != H2) {
            throw new IllegalArgumentException("host is not set: set the server's host name or address");
        }
        String at = host == null ? "" : host(host) + (port == null ? "" : ":" + port(port));
        return switch (this) {
            case POSTGRESQL -> "jdbc:postgresql://" + at + "/" + encoded(dbname);
            case MYSQL -> "jdbc:mysql://" + at + "/" + encoded(dbname);
            case MARIADB -> "jdbc:mariadb://" + at + "/" + plain(dbname);
            case SQL_SERVER -> "jdbc:sqlserver://" + at + (dbname == null ? "" : ";databaseName=" + braced(dbname));
            case FIREBIRD -> "jdbc:firebirdsql://" + at + "/" + plain(required(dbname));
            case H2 ->
                host == null ? "jdbc:h2:" + local(port, dbname) : "jdbc:h2:tcp://" + at + "/" + plain(required(dbname));
            case JDBC -> throw new IllegalStateException();
        };
    }

    private static String host(String host) {
        String text = host.strip();
        if (HOST.matcher(text).matches()) {
            return text;
        }
        if (IPV6.matcher(text).matches()) {
            return text.startsWith("[") ? text : "[" + text + "]";
        }
        throw new IllegalArgumentException("host is \"" + host
                + "\": set one host name or address, and the rest in port and dbname, or set jdbcUrl");
    }

    private static int port(String port) {
        try {
            int number = Integer.parseInt(port.strip());
            if (number > 0 && number < 65_536) {
                return number;
            }
        } catch (NumberFormatException _) {
            // reported below, like one that is out of range
        }
        throw new IllegalArgumentException("port is \"" + port + "\": set a number from 1 to 65535");
    }

    private static String encoded(@Nullable String dbname) {
        return dbname == null
                ? ""
                : URLEncoder.encode(dbname, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** For drivers that decode nothing: a path, an alias, a name. */
    private static String plain(@Nullable String dbname) {
        if (dbname != null && dbname.matches("(?s).*[?;&#].*")) {
            throw new IllegalArgumentException("dbname is \"" + dbname
                    + "\": it can't have ? ; & or #. Set properties of the driver as dataSource.NAME, or set jdbcUrl");
        }
        return dbname == null ? "" : dbname;
    }

    private static String braced(String dbname) {
        return dbname.matches("[\\p{L}\\p{N}._-]+") ? dbname : "{" + dbname.replace("}", "}}") + "}";
    }

    private static String required(@Nullable String dbname) {
        if (dbname == null) {
            throw new IllegalArgumentException("dbname is not set: set the database's name");
        }
        return dbname;
    }

    /** The name of an H2 database in this process: {@code mem:orders}, {@code ./data/orders}. */
    private static String local(@Nullable String port, @Nullable String dbname) {
        if (port != null) {
            throw new IllegalArgumentException("port is set and host is not: set host too, or neither");
        }
        return plain(required(dbname));
    }
}
