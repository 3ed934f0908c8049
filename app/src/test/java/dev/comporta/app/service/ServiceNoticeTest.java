package dev.comporta.app.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.testkit.LogLines;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Without anybody who listens; what one hears who does is in the tests of the packages. */
class ServiceNoticeTest {
    @Test
    void nothingIsToldWhereNobodyAsked() {
        assertThat(toldTo(Map.of())).isEmpty();
        assertThat(toldTo(Map.of("NOTIFY_SOCKET", ""))).isEmpty();
    }

    @Test
    void aServiceManagerThatIsNotThereIsALineInTheLogAndNoFailure() {
        assertThat(toldTo(Map.of("NOTIFY_SOCKET", "/nonexistent/notify"))[0])
                .isEqualTo("can't notify the service manager at /nonexistent/notify of READY=1: "
                        + "sendto failed with errno 2");
    }

    @Test
    void anAddressThatIsNoUnixSocketIsNamed() {
        assertThat(toldTo(Map.of("NOTIFY_SOCKET", "vsock:2:1234")))
                .singleElement()
                .asString()
                .contains("vsock:2:1234");
    }

    @Test
    void aNameThatIsTooLongForASocketIsSaidToBe() {
        assertThat(toldTo(Map.of("NOTIFY_SOCKET", "/" + "x".repeat(107)))[0]).contains("longer than 107 bytes");
    }

    /** @return what the log says of it */
    private static String[] toldTo(Map<String, String> environment) {
        try (LogLines log = new LogLines(ServiceNotice.class)) {
            ServiceNotice notice = ServiceNotice.of(environment::get);
            AtomicInteger reloads = new AtomicInteger();
            notice.ready("listening");
            notice.whileReloading(reloads::incrementAndGet);
            notice.stopping(Duration.ofSeconds(5));
            assertThat(reloads).hasValue(1);
            return log.lines().toArray(String[]::new);
        }
    }
}
