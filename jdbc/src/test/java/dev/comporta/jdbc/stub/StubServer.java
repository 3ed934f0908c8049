package dev.comporta.jdbc.stub;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A server as its driver shows it: counts connections, refuses, hangs and breaks on demand. Thread-safe. */
public final class StubServer implements Driver {
    private final Set<StubConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger connects = new AtomicInteger();
    private final List<Properties> logins = new ArrayList<>();

    /** What a connect fails with; null for success. */
    public volatile Supplier<@Nullable SQLException> refusal = () -> null;
    /** Connects wait for it. */
    public volatile CountDownLatch gate = new CountDownLatch(0);
    /** What a call of the driver throws, by the name of its method; null for nothing. A statement's begin with {@code Statement.}. */
    public volatile Function<String, @Nullable Throwable> trouble = _ -> null;
    /** Whether checks and resets fail. */
    public volatile Supplier<Boolean> sick = () -> false;

    public int open() {
        return count.get();
    }

    /** The most that were open at one time. */
    public int mostOpen() {
        return most.get();
    }

    public int connects() {
        return connects.get();
    }

    public List<StubConnection> connections() {
        return List.copyOf(open);
    }

    public synchronized List<Properties> logins() {
        return List.copyOf(logins);
    }

    @Override
    public @Nullable Connection connect(String url, Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        connects.incrementAndGet();
        synchronized (this) {
            logins.add(info);
        }
        // From here on a server counts it, whether or not the login succeeds.
        most.accumulateAndGet(count.incrementAndGet(), Math::max);
        try {
            gate.await();
        } catch (InterruptedException e) {
            count.decrementAndGet();
            throw new SQLException("interrupted", "08001", e);
        }
        SQLException no = refusal.get();
        if (no != null) {
            count.decrementAndGet();
            throw no;
        }
        StubConnection state = new StubConnection(this, url, info);
        open.add(state);
        return state.proxy();
    }

    private void makeTrouble(String method) throws Throwable {
        Throwable made = trouble.apply(method);
        if (made != null) {
            throw made;
        }
    }

    void closed(StubConnection connection) {
        if (open.remove(connection)) {
            count.decrementAndGet();
        }
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith("jdbc:stub:");
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    /** What the server knows of one connection. */
    public static final class StubConnection implements InvocationHandler {
        private final StubServer server;
        private final String url;
        private final String user;
        private final Map<String, Object> properties = new ConcurrentHashMap<>();
        private final List<String> calls = new ArrayList<>();
        private final Map<String, Thread> callers = new HashMap<>();
        /** Who has it on loan: more than one is the unforgivable error. */
        public final AtomicInteger holders = new AtomicInteger();

        private StubConnection(StubServer server, String url, Properties login) {
            this.server = server;
            this.url = url;
            user = login.getProperty("user", "");
            properties.put("AutoCommit", true);
            properties.put("ReadOnly", false);
            properties.put("TransactionIsolation", Connection.TRANSACTION_READ_COMMITTED);
            properties.put("Holdability", ResultSet.HOLD_CURSORS_OVER_COMMIT);
            properties.put("NetworkTimeout", 0);
            properties.put("ClientInfo", new Properties());
            properties.put("TypeMap", Map.of());
            properties.put("Catalog", "main");
            properties.put("Schema", "public");
        }

        Connection proxy() {
            return (Connection) Proxy.newProxyInstance(
                    StubServer.class.getClassLoader(), new Class<?>[] {Connection.class, Stub.class}, this);
        }

        public String url() {
            return url;
        }

        /** Who logged in; empty for nobody. */
        public String user() {
            return user;
        }

        /** The calls that reached the driver, getters excepted. */
        public synchronized List<String> calls() {
            return List.copyOf(calls);
        }

        /** The thread of the latest such call; null if there was none. */
        public synchronized @Nullable Thread callerOf(String call) {
            return callers.get(call);
        }

        private synchronized void note(String call) {
            callers.put(call, Thread.currentThread());
            if (calls.size() < 1000) {
                calls.add(call);
            }
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
                throws Throwable {
            String name = method.getName();
            server.makeTrouble(name);
            if (name.startsWith("get") && properties.containsKey(name.substring(3))) {
                return properties.get(name.substring(3));
            }
            if (name.startsWith("set") && args != null && properties.containsKey(name.substring(3))) {
                note(name + " " + args[args.length - 1]);
                if (!name.equals("setClientInfo")) {
                    properties.put(name.substring(3), args[args.length - 1]);
                }
                return null;
            }
            return switch (name) {
                case "isReadOnly" -> properties.get("ReadOnly");
                case "close", "abort" -> {
                    note(name);
                    server.closed(this);
                    yield null;
                }
                case "isValid" -> !server.sick.get();
                case "rollback", "commit", "beginRequest", "endRequest" -> {
                    note(name);
                    if (name.equals("rollback") && server.sick.get()) {
                        throw new SQLException("the server is gone", "08006");
                    }
                    yield null;
                }
                case "state" -> this;
                case "createStatement", "prepareStatement", "prepareCall" -> statement(method.getReturnType());
                case "unwrap" -> throw new SQLException("not a wrapper");
                case "isWrapperFor" -> false;
                case "equals" -> proxy == args[0];
                case "hashCode" -> System.identityHashCode(this);
                case "toString" -> "stub connection";
                default -> null;
            };
        }

        private Object statement(Class<?> type) {
            return Proxy.newProxyInstance(StubServer.class.getClassLoader(), new Class<?>[] {type}, (p, m, args) -> {
                server.makeTrouble("Statement." + m.getName());
                if (m.getName().startsWith("execute")) {
                    note(m.getName() + (args == null ? "" : " " + args[0]));
                }
                if (args != null && args.length > 0 && "fail".equals(args[0])) {
                    throw new SQLException("the server is gone", "08006");
                }
                if (m.getName().equals("close")) {
                    note("closeStatement");
                }
                return m.getReturnType() == boolean.class
                        ? (Object) false
                        : m.getReturnType() == int.class ? (Object) 0 : null;
            });
        }
    }

    /** The driver's own interface. */
    public interface Stub {
        StubConnection state();
    }

    public static StubConnection state(Connection connection) throws SQLException {
        return connection instanceof Stub stub
                ? stub.state()
                : connection.unwrap(Stub.class).state();
    }

    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
