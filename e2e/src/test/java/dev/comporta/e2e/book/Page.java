package dev.comporta.e2e.book;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of Markdown: README.md, or one of docs/. */
final class Page {
    /** Tests run in their module's folder. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("#+ (.+)");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** A fenced code block; {@code line} is that of its first line, as editors count. */
    record Block(Page page, int line, String language, Marker marker, String text) {
        @Override
        public String toString() {
            return page + ":" + line;
        }
    }

    final Path path;
    private final List<Block> blocks = new ArrayList<>();
    private final List<String> prose = new ArrayList<>();

    Page(Path path) throws IOException {
        this.path = path;
        split(Files.readAllLines(path));
    }

    /** README first, then what it sends its readers to; the commands of a page may need those of an earlier one. */
    static List<Page> all() throws IOException {
        Set<Path> files = new LinkedHashSet<>();
        for (String name : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/README.md", "docs/start.md")) {
            files.add(ROOT.resolve(name));
        }
        try (Stream<Path> found = Files.walk(ROOT.resolve("docs"))) {
            found.filter(file -> file.toString().endsWith(".md")).sorted().forEach(files::add);
        }
        List<Page> pages = new ArrayList<>();
        for (Path file : files) {
            pages.add(new Page(file));
        }
        return pages;
    }

    private void split(List<String> lines) {
        for (int at = 0; at < lines.size(); at++) {
            if (!lines.get(at).startsWith("```")) {
                prose.add(lines.get(at));
                continue;
            }
            Marker marker = at == 0 ? new Marker.None() : Marker.of(lines.get(at - 1));
            String language = lines.get(at).substring(3).strip();
            int begin = at + 1;
            do {
                at++;
                if (at == lines.size()) {
                    throw new AssertionError(this + ":" + begin + ": the block has no end");
                }
            } while (!lines.get(at).startsWith("```"));
            blocks.add(
                    new Block(this, begin + 1, language, marker, String.join("\n", lines.subList(begin, at)) + "\n"));
        }
    }

    List<Block> blocks() {
        return blocks;
    }

    /** What its links lead to, as they are written; code has none. */
    List<String> links() {
        return prose.stream()
                .map(line -> CODE.matcher(line).replaceAll(""))
                .flatMap(line -> LINK.matcher(line).results().map(link -> link.group(1)))
                .toList();
    }

    /** The code in its sentences. */
    List<String> code() {
        return prose.stream()
                .flatMap(line -> CODE.matcher(line).results().map(MatchResult::group))
                .map(code -> code.substring(1, code.length() - 1))
                .toList();
    }

    /** What a link may name behind its #, as GitHub makes it of headings. */
    Set<String> anchors() {
        Set<String> anchors = new LinkedHashSet<>();
        Map<String, Integer> times = new HashMap<>();
        for (String line : prose) {
            var heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                        .replace(' ', '-');
                int before = times.merge(anchor, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? anchor : anchor + "-" + before);
            }
        }
        return anchors;
    }

    @Override
    public String toString() {
        return ROOT.relativize(path).toString();
    }
}
