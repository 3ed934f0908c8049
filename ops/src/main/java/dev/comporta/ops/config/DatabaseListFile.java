package dev.comporta.ops.config;

import dev.comporta.console.names.NearestName;
import dev.comporta.ops.config.yaml.Findings;
import dev.comporta.ops.config.yaml.Location;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A text file with a line {@code database,bucket} for each database: the form for hundreds of thousands of them. The
 * bucket may be left out where the file belongs to one. Blank lines and lines that begin with {@code #} don't count.
 */
final class DatabaseListFile {
    /** Receives a database and the number of its bucket; returns false if it reported a problem with them. */
    @FunctionalInterface
    interface Sink {
        boolean accept(String database, int bucket, Location where);
    }

    // Beyond this number the file as a whole is wrong, and a hundred thousand messages would hide that.
    private static final int MOST_PROBLEMS = 20;

    private static final String HEADER = "database,bucket";
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final Path file;
    private final int owner;
    private final Location namedAt;
    private final Map<String, Integer> buckets;
    private final Findings findings;
    private int problems;

    /** @param owner the bucket of lines that name none; negative when there is none */
    DatabaseListFile(Path file, int owner, Location namedAt, Map<String, Integer> buckets, Findings findings) {
        this.file = file;
        this.owner = owner;
        this.namedAt = namedAt;
        this.buckets = buckets;
        this.findings = findings;
    }

    void read(Sink sink) {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String line;
            for (int number = 1; (line = reader.readLine()) != null; number++) {
                if (number == 1 && line.startsWith(BYTE_ORDER_MARK)) {
                    line = line.substring(1);
                }
                if (!line.isBlank() && line.charAt(0) != '#' && !(number == 1 && line.equals(HEADER))) {
                    readLine(line, number, sink);
                }
                if (problems > MOST_PROBLEMS) {
                    error(number, "There are more problems in this file.", "Fix these first.");
                    return;
                }
            }
        } catch (IOException unreadable) {
            findings.error(
                    namedAt,
                    "file",
                    "The file " + file + " can't be read ("
                            + unreadable.getClass().getSimpleName() + ").",
                    "It must be UTF-8 text that this user may read; its path starts at the directory of buckets.yaml.");
        }
    }

    // The last comma separates: a database's name may contain a comma, a bucket's id may not.
    private void readLine(String line, int number, Sink sink) {
        int comma = line.lastIndexOf(',');
        String database = (comma < 0 ? line : line.substring(0, comma)).strip();
        Integer bucket = comma < 0
                ? ownerOrNull()
                : buckets.get(line.substring(comma + 1).strip());
        if (database.isEmpty()) {
            error(number, "There is no database before the comma.", "Write database,bucket.");
        } else if (bucket != null) {
            problems += sink.accept(database, bucket, at(number)) ? 0 : 1;
        } else if (comma < 0) {
            error(number, "The line names no bucket.", "Write database,bucket.");
        } else {
            String id = line.substring(comma + 1).strip();
            error(
                    number,
                    "There is no bucket '" + id + "'.",
                    NearestName.among(buckets.keySet(), id)
                            .map(nearest -> "Did you mean '" + nearest + "'?")
                            .orElse("Use the id of a bucket in buckets.yaml."));
        }
    }

    private @Nullable Integer ownerOrNull() {
        return owner < 0 ? null : owner;
    }

    private Location at(int line) {
        return new Location(file.toString(), line, 1);
    }

    private void error(int line, String what, String advice) {
        problems++;
        findings.error(at(line), "", what, advice);
    }
}
