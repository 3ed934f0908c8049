package dev.comporta.e2e.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every link of README and docs leads to something, and every page of docs can be reached. */
class LinksTest {
    private static final Path DOCS = Page.ROOT.resolve("docs");

    private static Path target(Page page, String link) {
        String file = link.replaceFirst("#.*", "");
        return file.isEmpty() ? page.path : page.path.resolveSibling(file).normalize();
    }

    private static boolean isWithinTheRepository(String link) {
        return !link.matches("[a-z]+:.*");
    }

    @Test
    void everyLinkLeadsToAFileAndItsHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        int followed = 0;
        for (Page page : Page.all()) {
            for (String link : page.links().stream()
                    .filter(LinksTest::isWithinTheRepository)
                    .toList()) {
                followed++;
                Path target = target(page, link);
                String name = Page.ROOT.relativize(target).toString();
                if (!Files.exists(target)) {
                    broken.add(page + ": no file " + link);
                } else if (link.contains("#")
                        && name.endsWith(".md")
                        && !new Page(target).anchors().contains(link.substring(link.indexOf('#') + 1))) {
                    broken.add(page + ": no heading " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(followed).isGreaterThan(100);
    }

    @Test
    void everyPageCanBeReachedFromTheTableOfContents() throws IOException {
        Map<Path, Page> pages = new LinkedHashMap<>();
        for (Page page : Page.all()) {
            pages.put(page.path, page);
        }
        Set<Path> reached = new TreeSet<>();
        Deque<Path> next = new ArrayDeque<>(List.of(DOCS.resolve("README.md")));
        while (!next.isEmpty()) {
            Path file = next.pop();
            if (file.startsWith(DOCS) && reached.add(file)) {
                next.addAll(leadsTo(file, pages.get(file)));
            }
        }
        assertThat(pages.keySet())
                .filteredOn(file -> file.startsWith(DOCS) && !reached.contains(file))
                .isEmpty();
    }

    private static List<Path> leadsTo(Path file, @Nullable Page page) throws IOException {
        if (Files.isDirectory(file)) {
            try (Stream<Path> below = Files.list(file)) { // as GitHub lists it
                return below.toList();
            }
        }
        return page == null
                ? List.of()
                : page.links().stream()
                        .filter(LinksTest::isWithinTheRepository)
                        .map(link -> target(page, link))
                        .toList();
    }
}
