package dev.comporta.e2e.topology;

import dev.comporta.e2e.deploy.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a file in deploy/ with addresses, paths and times of a test in place of its own. What is to be replaced has to be
 * there: the test is about what is delivered, not about what it was once.
 */
final class Adapted {
    private final String file;
    private String text;

    private Adapted(String file, String text) {
        this.file = file;
        this.text = text;
    }

    static Adapted of(String file) throws IOException {
        return new Adapted(file, Files.readString(Programs.DEPLOY.resolve(file)));
    }

    /** Wherever it is. */
    Adapted with(String old, Object replacement) {
        return matching(Pattern.quote(old), Matcher.quoteReplacement(replacement.toString()));
    }

    Adapted matching(String expression, String replacement) {
        Matcher found = Pattern.compile(expression).matcher(text);
        if (!found.find()) {
            throw new IllegalStateException(file + " has no " + expression);
        }
        text = found.replaceAll(replacement);
        return this;
    }

    Path writeTo(Path directory, String name) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
