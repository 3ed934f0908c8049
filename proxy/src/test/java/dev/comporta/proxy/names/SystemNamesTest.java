package dev.comporta.proxy.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SystemNamesTest {
    @Test
    void addressNeedsNoLookup() {
        assertThat(Names.SYSTEM.lookUp("10.1.2.3"))
                .isCompletedWithValueMatching(found -> found.equals(List.of(InetAddress.ofLiteral("10.1.2.3"))));
        assertThat(Names.SYSTEM.lookUp("::1")).isCompletedWithValueMatching(found -> found.size() == 1);
    }

    @Test
    void localhostIsAnAddressOfThisMachine() throws Exception {
        assertThat(Names.SYSTEM.lookUp("localhost").get(30, TimeUnit.SECONDS))
                .isNotEmpty()
                .allMatch(InetAddress::isLoopbackAddress);
    }

    @Test
    void lookupThatRunsOutOfMemoryFailsAndTheNextIsAnotherOne() throws Exception {
        AtomicInteger lookups = new AtomicInteger();
        SystemNames names = new SystemNames(host -> {
            if (lookups.incrementAndGet() == 1) {
                throw new OutOfMemoryError("no memory for " + host);
            }
            return new InetAddress[] {InetAddress.ofLiteral("10.1.2.3")};
        });
        assertThat(names.lookUp("db.test"))
                .failsWithin(30, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(OutOfMemoryError.class);
        assertThat(names.lookUp("db.test").get(30, TimeUnit.SECONDS))
                .containsExactly(InetAddress.ofLiteral("10.1.2.3"));
    }

    @Test
    void secondLookupIsAnotherOne() throws Exception {
        var first = Names.SYSTEM.lookUp("localhost");
        first.get(30, TimeUnit.SECONDS);
        assertThat(Names.SYSTEM.lookUp("localhost")).isNotSameAs(first);
    }
}
