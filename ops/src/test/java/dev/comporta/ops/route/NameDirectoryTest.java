package dev.comporta.ops.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class NameDirectoryTest {
    private static NameDirectory directoryOf(String... names) {
        NameDirectory.Builder builder = new NameDirectory.Builder();
        for (int i = 0; i < names.length; i++) {
            builder.putIfAbsent(names[i], i);
        }
        return builder.build();
    }

    @Property
    void findsExactlyWhatWasPutIn(@ForAll("names") List<String> put, @ForAll("names") List<String> asked) {
        Map<String, Integer> model = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        NameDirectory.Builder builder = new NameDirectory.Builder();
        for (int i = 0; i < put.size(); i++) {
            Integer known = model.putIfAbsent(put.get(i), i);
            assertThat(builder.putIfAbsent(put.get(i), i)).isEqualTo(known == null ? NameDirectory.NONE : known);
        }
        NameDirectory directory = builder.build();
        assertThat(directory.size()).isEqualTo(model.size());
        List<String> all = new ArrayList<>(asked);
        all.addAll(put);
        for (String name : all) {
            assertThat(directory.find(name)).as(name).isEqualTo(model.getOrDefault(name, NameDirectory.NONE));
            assertThat(directory.find("<" + name + ">", 1, name.length() + 1))
                    .isEqualTo(model.getOrDefault(name, NameDirectory.NONE));
        }
    }

    @Provide
    Arbitrary<List<String>> names() {
        // Few letters, so that names are equal now and then; some are beyond ASCII, and some come in both cases.
        return Arbitraries.strings()
                .withChars('a', 'A', 'b', '0', '_', 'é', 'É', 'ß', 'ç', 'Σ', 'σ', 'ς', '日', 'İ', 'ı')
                .ofMinLength(1)
                .ofMaxLength(4)
                .list()
                .ofMaxSize(200);
    }

    @Property
    void patternMatchesAsItsRegularExpressionDoes(@ForAll("patterns") String pattern, @ForAll("words") String name) {
        boolean matches = name.matches("(?i)" + pattern.replace("*", ".*"));
        assertThat(directoryOf(pattern).find(name)).isEqualTo(matches ? 0 : NameDirectory.NONE);
    }

    @Provide
    Arbitrary<String> patterns() {
        return Arbitraries.strings().withChars("abA*").ofMaxLength(8).map(text -> text + "*");
    }

    @Provide
    Arbitrary<String> words() {
        return Arbitraries.strings().withChars("abAB").ofMaxLength(10);
    }

    @Example
    void exactNameIsStrongerThanAnyPattern() {
        assertThat(directoryOf("*", "app_*", "app_1").find("APP_1")).isEqualTo(2);
    }

    @Example
    void patternWithTheLongestBeginningWins() {
        NameDirectory directory = directoryOf("*", "app_*", "app_eu_*", "*_archive");
        assertThat(directory.find("app_eu_7")).isEqualTo(2);
        assertThat(directory.find("app_us_7")).isEqualTo(1);
        assertThat(directory.find("app_archive")).isEqualTo(1);
        assertThat(directory.find("other")).isZero();
    }

    @Example
    void amongEqualBeginningsTheOneWithMoreLettersWinsThenTheFirst() {
        assertThat(directoryOf("*", "*_archive").find("x_archive")).isEqualTo(1);
        assertThat(directoryOf("a*b", "a*c*").find("abcb")).isZero();
    }

    @Example
    void nothingIsFoundInAnEmptyDirectory() {
        assertThat(directoryOf().find("x")).isEqualTo(NameDirectory.NONE);
        assertThat(directoryOf().find("")).isEqualTo(NameDirectory.NONE);
    }

    @Example
    void lettersBeyondAsciiAreComparedWithoutCase() {
        assertThat(directoryOf("AÇÃO_日本").find("ação_日本")).isZero();
        assertThat(directoryOf("ação").find("acao")).isEqualTo(NameDirectory.NONE);
    }
}
