package dev.comporta.ops.secret;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs real processes. */
@Timeout(120)
class PasswordCommandTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    private static PasswordCommand bash(String script, Duration timeout) {
        return new PasswordCommand(List.of("bash", "-c", script), timeout, Map.of("COMPORTA_LOGIN", "app"));
    }

    private static String run(String script) throws Exception {
        return bash(script, LONG).run().reveal();
    }

    @Test
    void passwordIsTheFirstLineWithoutBlanksAroundIt() throws Exception {
        assertThat(run("echo '  pa ss\tword '; echo more")).isEqualTo("pa ss\tword");
        assertThat(run("printf secret")).as("without a line's end").isEqualTo("secret");
        assertThat(run("echo pässword€")).isEqualTo("pässword€");
    }

    @Test
    void argumentsArriveAsTheyAreAndNoShellReadsThem() throws Exception {
        PasswordCommand echo = new PasswordCommand(List.of("echo", "$HOME; `id` *"), LONG, Map.of());
        assertThat(echo.run().reveal()).isEqualTo("$HOME; `id` *");
    }

    @Test
    void commandKnowsForWhomItIsRunAndHasNothingToRead() throws Exception {
        assertThat(run("read -r line; echo \"$COMPORTA_LOGIN<$line>\"")).isEqualTo("app<>");
    }

    @Test
    void commandThatFailsIsQuotedByTheFirstLineOfItsStandardError() {
        assertThatThrownBy(
                        () -> run("echo topsecret; echo -e 'denied: topsecret \\033[31m' >&2; echo more >&2; exit 3"))
                .isInstanceOf(IOException.class)
                .hasMessage("password_command bash ended with code 3: denied: ******** ?[31m");
        assertThatThrownBy(() -> run("exit 1")).hasMessage("password_command bash ended with code 1");
    }

    @Test
    void commandThatHangsIsKilledWithWhatItStarted() throws Exception {
        Path pids = directory.resolve("pids");
        // Ignores what can be ignored, and has a child that keeps the pipe open.
        String script = "trap '' TERM; sleep 300 & echo $$ $! > " + pids + "; while true; do sleep 1; done";
        assertThatThrownBy(() -> bash(script, Duration.ofSeconds(2)).run())
                .hasMessage("password_command bash has not ended within 2000 ms, and was killed");
        awaitEnds(pids, 2);
    }

    @Test
    void commandThatFloodsIsKilled() throws Exception {
        Path pid = directory.resolve("pid");
        // Goes on though nobody reads it any more.
        String script = "trap '' PIPE; echo $$ > " + pid + "; while true; do echo password; done 2>/dev/null";
        assertThatThrownBy(() -> run(script)).hasMessage("password_command bash printed more than 8192 bytes");
        awaitEnds(pid, 1);
    }

    private static void awaitEnds(Path pids, int count) throws IOException {
        String[] numbers = Files.readString(pids).strip().split(" ");
        assertThat(numbers).hasSize(count);
        for (String number : numbers) {
            await().atMost(30, SECONDS)
                    .until(() -> ProcessHandle.of(Long.parseLong(number))
                            .filter(ProcessHandle::isAlive)
                            .isEmpty());
        }
    }

    @Test
    void standardErrorMayBeLong() throws Exception {
        assertThat(run("head -c 300000 /dev/zero >&2; echo secret")).isEqualTo("secret");
    }

    @Test
    void nothingAndTooMuchAreNoPasswords() {
        assertThatThrownBy(() -> run("true")).hasMessageContaining("printed no password");
        assertThatThrownBy(() -> run("printf '\\nsecret'")).hasMessageContaining("printed no password");
        assertThatThrownBy(() -> run("printf 'x%.0s' {1..129}"))
                .hasMessageContaining("129 characters")
                .hasMessageNotContaining("xxx");
    }

    @Test
    void commandThatIsNotThereIsNamed() {
        PasswordCommand none = new PasswordCommand(List.of("/nowhere/token", "argument"), LONG, Map.of());
        assertThatThrownBy(none::run)
                .hasMessageStartingWith("password_command /nowhere/token can't be run")
                .hasMessageNotContaining("argument");
    }
}
