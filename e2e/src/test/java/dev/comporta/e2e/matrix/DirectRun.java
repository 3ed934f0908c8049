package dev.comporta.e2e.matrix;

import dev.comporta.e2e.TestServer;
import io.netty.util.ResourceLeakDetector;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * What each driver finds when nothing stands between it and the server. Each scenario is played once, when it is first
 * asked for, and then known to every test of this JVM.
 */
final class DirectRun implements AutoCloseable {
    private final TestServer server;
    private final Stage stage;
    private final Map<String, FutureTask<Outcome>> outcomes = new ConcurrentHashMap<>();

    private DirectRun(TestServer server, Stage stage) {
        this.server = server;
        this.stage = stage;
    }

    private static DirectRun start() {
        try {
            return on(TestServer.start());
        } catch (Exception e) {
            throw new IllegalStateException("no server to play on", e);
        }
    }

    /** On a server that becomes its own. */
    static DirectRun on(TestServer server) throws Exception {
        return new DirectRun(server, Stage.on(server, server.target()));
    }

    Outcome of(Driver driver, Scenario scenario) throws Exception {
        FutureTask<Outcome> outcome = outcomes.computeIfAbsent(
                driver.name() + scenario, play -> new FutureTask<>(() -> stage.play(driver, scenario)));
        outcome.run(); // only the first to come plays it
        return outcome.get();
    }

    @Override
    public void close() throws SQLException {
        stage.close();
        server.close();
    }

    /**
     * Gives the one run to whoever has it as a parameter, and ends it after all tests. Meanwhile Netty follows one buffer in
     * a hundred or so: to follow all of them takes a third of the time of these tests, which are not about leaks.
     */
    static final class Shared implements ParameterResolver, BeforeAllCallback, AfterAllCallback {
        private ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();

        @Override
        public void beforeAll(ExtensionContext tests) {
            before = ResourceLeakDetector.getLevel();
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
        }

        @Override
        public void afterAll(ExtensionContext tests) {
            ResourceLeakDetector.setLevel(before);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
            return parameter.getParameter().getType() == DirectRun.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
            return test.getRoot()
                    .getStore(ExtensionContext.Namespace.create(DirectRun.class))
                    .computeIfAbsent(DirectRun.class, key -> DirectRun.start(), DirectRun.class);
        }
    }
}
