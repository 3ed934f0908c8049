package dev.comporta.ops.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.ops.config.value.BadValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubstitutionTest {
    @TempDir
    private Path directory;

    private Substitution substitution = new Substitution(name -> null, Path.of(""));

    @BeforeEach
    void fillEnvironmentAndDirectory() throws IOException {
        Files.writeString(directory.resolve("token"), "s3cret\n");
        Map<String, String> environment = Map.of("HOST", "db-1", "EMPTY", "", "TRICK", "${HOST}");
        substitution = new Substitution(environment::get, directory);
    }

    @Test
    void variablesAreReplacedWhereverTheyStand() throws BadValue {
        assertThat(substitution.apply("${HOST}")).isEqualTo("db-1");
        assertThat(substitution.apply("tcp:${HOST}.local:${PORT:-1433}")).isEqualTo("tcp:db-1.local:1433");
        assertThat(substitution.apply("no $HOST, {HOST} or $ here")).isEqualTo("no $HOST, {HOST} or $ here");
    }

    @Test
    void defaultHoldsOnlyForAVariableThatIsNotSet() throws BadValue {
        assertThat(substitution.apply("${NOTHING:-a:-b}")).isEqualTo("a:-b");
        assertThat(substitution.apply("${NOTHING:-}")).isEmpty();
        assertThat(substitution.apply("${HOST:-other}")).isEqualTo("db-1");
        assertThat(substitution.apply("${EMPTY:-other}")).isEmpty();
    }

    @Test
    void fileIsReadWithoutItsLastNewline() throws BadValue {
        assertThat(substitution.apply("${file:token}")).isEqualTo("s3cret");
        assertThat(substitution.apply("${file:" + directory.resolve("token") + "}!"))
                .isEqualTo("s3cret!");
    }

    @Test
    void doubledDollarKeepsTheTextAsItIs() throws BadValue {
        assertThat(substitution.apply("a$${HOST}b${HOST}")).isEqualTo("a${HOST}bdb-1");
    }

    @Test
    void whatWasPutInIsNotLookedAtAgain() throws BadValue {
        assertThat(substitution.apply("${TRICK}")).isEqualTo("${HOST}");
    }
}
