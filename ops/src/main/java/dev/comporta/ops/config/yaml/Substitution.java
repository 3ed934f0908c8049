package dev.comporta.ops.config.yaml;

import dev.comporta.ops.config.value.BadValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Replaces {@code ${NAME}}, {@code ${NAME:-default}} and {@code ${file:path}} in the text of a scalar. A dollar sign
 * before it, {@code $${…}}, keeps the text as it is. Inserted text is not substituted again.
 */
record Substitution(Environment environment, Path directory) {
    private static final String FILE = "file:";
    private static final String OR_ELSE = ":-";

    static boolean isIn(String text) {
        return text.contains("${");
    }

    String apply(String text) throws BadValue {
        if (!isIn(text)) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            int dollar = text.indexOf("${", at);
            if (dollar < 0) {
                break;
            }
            if (dollar > at && text.charAt(dollar - 1) == '$') {
                out.append(text, at, dollar - 1).append("${");
                at = dollar + 2;
                continue;
            }
            int end = text.indexOf('}', dollar);
            if (end < 0) {
                throw new BadValue(
                        "opens '${' and never closes it", "Close it with '}', or write '$${' for a plain '${'.");
            }
            out.append(text, at, dollar).append(resolve(text.substring(dollar + 2, end)));
            at = end + 1;
        }
        return out.append(text, at, text.length()).toString();
    }

    private String resolve(String reference) throws BadValue {
        if (reference.startsWith(FILE)) {
            return content(reference.substring(FILE.length()));
        }
        int orElse = reference.indexOf(OR_ELSE);
        String name = orElse < 0 ? reference : reference.substring(0, orElse);
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            throw new BadValue(
                    "refers to '" + name + "', which can't be the name of an environment variable",
                    "Write ${NAME}, ${NAME:-default} or ${file:/path}; write '$${' for a plain '${'.");
        }
        String value = environment.get(name);
        if (value != null) {
            return value;
        }
        if (orElse >= 0) {
            return reference.substring(orElse + OR_ELSE.length());
        }
        throw new BadValue(
                "needs the environment variable " + name + ", which is not set",
                "Set " + name + ", or write ${" + name + ":-default}.");
    }

    private String content(String path) throws BadValue {
        Path file = directory.resolve(path);
        try {
            // Editors and `echo` end a file with a newline, which is not a part of the secret.
            return Files.readString(file).stripTrailing();
        } catch (IOException unreadable) {
            throw new BadValue(
                    "needs the file " + file + ", which can't be read",
                    "Create it, or let this user read it ("
                            + unreadable.getClass().getSimpleName() + ").");
        }
    }
}
