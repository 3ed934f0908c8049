package dev.comporta.proxy.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SystemNamesTest {
    @Test
    void addressNeedsNoLookup() {
        assertThat(Names.SYSTEM.lookUp("10.1.2.3"))
                .isCompletedWithValueMatching(found -> found.equals(List.of(InetAddress.ofLiteral("10.1.2.3"))));
        assertThat(Names.SYSTEM.lookUp("::1")).isCompletedWithValueMatching(found -> found.size() == 1);
    }

    @Test
    void nameIsFoundInTheHostsFile() throws Exception {
        assertThat(Names.SYSTEM.lookUp("localhost").get(30, TimeUnit.SECONDS))
                .isNotEmpty()
                .allMatch(InetAddress::isLoopbackAddress);
    }

    @Test
    void secondLookupIsAnotherOne() throws Exception {
        var first = Names.SYSTEM.lookUp("localhost");
        first.get(30, TimeUnit.SECONDS);
        assertThat(Names.SYSTEM.lookUp("localhost")).isNotSameAs(first);
    }
}
