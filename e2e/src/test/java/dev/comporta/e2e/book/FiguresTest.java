package dev.comporta.e2e.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The front page shows what was measured, and nothing older. */
class FiguresTest {
    @Test
    void costsInReadmeAreThoseOfTheBenchmarks() throws IOException {
        String readme = Files.readString(Page.ROOT.resolve("README.md"));
        String costs = readme.substring(readme.indexOf("## What it costs"));
        List<String> figures = costs.substring(0, costs.indexOf("\n## "))
                .lines()
                .filter(line -> line.startsWith("| "))
                .flatMap(line -> Stream.of(line.split("\\|")).skip(2))
                .map(String::strip)
                .filter(cell -> cell.matches("[\\d,.]+( µs| ms)?"))
                .toList();
        assertThat(figures).hasSizeGreaterThan(10);
        assertThat(cells(Files.readString(Page.ROOT.resolve("docs/benchmarks.md"))))
                .containsAll(figures);
    }

    /** As a whole: a figure is not found in another that it is a part of. */
    private static Set<String> cells(String page) {
        return page.lines()
                .filter(line -> line.startsWith("|"))
                .flatMap(line -> Stream.of(line.split("\\|")))
                .map(String::strip)
                .collect(Collectors.toSet());
    }
}
