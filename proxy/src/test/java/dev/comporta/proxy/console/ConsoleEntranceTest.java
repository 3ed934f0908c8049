package dev.comporta.proxy.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.console.Console;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.login.LoginRefusal;
import dev.comporta.proxy.login.NoProgress;
import dev.comporta.proxy.watch.News;
import dev.comporta.proxy.watch.RefusalCounts;
import dev.comporta.tds.login.Login7Builder;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConsoleEntranceTest {
    private static final long NOTHING_SCHEDULED = -1;

    private final RefusalCounts counts = new RefusalCounts();
    private final ConsoleEntrance entrance = new ConsoleEntrance(new Nobody(), new LoginRefusal("", News.NONE, counts));

    private EmbeddedChannel wrongLogin() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        entrance.arrived(
                new ClientHello(channel, new Login7Builder().userName("eve").build(), false, false, new NoProgress()));
        return channel;
    }

    @Test
    void aWrongLoginIsAnsweredLate() {
        EmbeddedChannel channel = wrongLogin();
        assertThat(channel.runScheduledPendingTasks()).isEqualTo(TimeUnit.SECONDS.toNanos(2));
        assertThat(channel.outboundMessages()).isEmpty();
        channel.advanceTimeBy(2, TimeUnit.SECONDS);
        channel.runPendingTasks();
        assertThat(channel.outboundMessages()).isNotEmpty();
        assertThat(channel.isOpen()).isFalse();
        channel.releaseOutbound();
    }

    /** It holds its LOGIN7: any number of clients that disconnect at once would take memory for two seconds each. */
    @Test
    void aWrongLoginThatIsNotWaitedForIsForgotten() {
        EmbeddedChannel channel = wrongLogin();
        channel.pipeline().close(); // close() of an EmbeddedChannel would cancel all tasks
        assertThat(channel.runScheduledPendingTasks()).isEqualTo(NOTHING_SCHEDULED);
    }

    private static final class Nobody implements ConsoleAccess {
        @Override
        public boolean isServed(String database) {
            return true;
        }

        @Override
        public boolean admits(String user, String password) {
            return false;
        }

        @Override
        public Console console() {
            throw new AssertionError();
        }

        @Override
        public String serverName() {
            throw new AssertionError();
        }

        @Override
        public String banner() {
            throw new AssertionError();
        }

        @Override
        public Executor executor() {
            throw new AssertionError();
        }
    }
}
