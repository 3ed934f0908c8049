package dev.comporta.jdbc.session;

import dev.comporta.jdbc.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Which properties of a connection its client changed, and what they were before. */
final class Changes {
    private static final Property[] ALL = Property.values();

    private final Dialect dialect;
    private final EnumMap<Property, @Nullable Object> before = new EnumMap<>(Property.class);

    Changes(Dialect dialect) {
        this.dialect = dialect;
    }

    boolean any() {
        return !before.isEmpty();
    }

    void note(Property property, Connection connection) throws SQLException {
        if (!before.containsKey(property)) {
            before.put(property, present(property, connection));
        }
    }

    /** The property has this value now: if that is what it was before, there is nothing to put back. */
    void set(Property property, @Nullable Object to) {
        if (to != null && to.equals(before.get(property))) {
            before.remove(property);
        }
    }

    private @Nullable Object present(Property property, Connection c) throws SQLException {
        return switch (property) {
            case READ_ONLY -> c.isReadOnly();
            case ISOLATION -> c.getTransactionIsolation();
            case CATALOG -> c.getCatalog();
            case SCHEMA -> dialect.schemaOf(c);
            case HOLDABILITY -> c.getHoldability();
            case NETWORK_TIMEOUT -> c.getNetworkTimeout();
            case CLIENT_INFO -> copy(c.getClientInfo());
            case TYPE_MAP -> copy(c.getTypeMap());
            case AUTO_COMMIT -> c.getAutoCommit();
        };
    }

    private static Map<String, Class<?>> copy(@Nullable Map<String, Class<?>> from) {
        return from == null ? new HashMap<>() : new HashMap<>(from);
    }

    private static Properties copy(@Nullable Properties from) {
        Properties to = new Properties();
        if (from != null) {
            to.putAll(from);
        }
        return to;
    }

    /** Puts back the properties in the order of {@link Property}. If that fails, the connection can't be used any more. */
    void putBack(Connection connection) throws SQLException {
        if (before.isEmpty()) {
            return;
        }
        for (Property property : ALL) {
            if (before.containsKey(property)) {
                putBack(property, before.get(property), connection);
            }
        }
        before.clear();
    }

    @SuppressWarnings("unchecked") // what present() returned for the same property
    private void putBack(Property property, @Nullable Object value, Connection c) throws SQLException {
        switch (property) {
            case READ_ONLY -> c.setReadOnly((Boolean) known(value));
            case ISOLATION -> c.setTransactionIsolation((Integer) known(value));
            case CATALOG -> putBackCatalog((String) value, c);
            case SCHEMA -> dialect.putBackSchema(c, (String) value);
            case HOLDABILITY -> c.setHoldability((Integer) known(value));
            case NETWORK_TIMEOUT -> c.setNetworkTimeout(Runnable::run, (Integer) known(value));
            case CLIENT_INFO -> c.setClientInfo((Properties) known(value));
            case TYPE_MAP -> c.setTypeMap((Map<String, Class<?>>) known(value));
            case AUTO_COMMIT -> c.setAutoCommit((Boolean) known(value));
        }
    }

    private static void putBackCatalog(@Nullable String value, Connection c) throws SQLException {
        if (value != null) {
            c.setCatalog(value);
        } else if (c.getCatalog() != null) {
            throw new SQLException("a catalog was set, and the connection had none before");
        }
    }

    private static Object known(@Nullable Object value) {
        if (value == null) {
            throw new IllegalStateException("noted without a value");
        }
        return value;
    }
}
