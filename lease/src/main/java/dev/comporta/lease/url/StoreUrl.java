package dev.comporta.lease.url;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The URL of a store: {@code SCHEME:BODY?OPTION=VALUE&…}. Names and values of options are percent-encoded.
 *
 * @param scheme in lower case
 * @param body the text between the colon and the question mark, as it was written
 */
public record StoreUrl(String scheme, String body, Map<String, String> options) {
    private static final Pattern PASSWORD = Pattern.compile("//([^:/@]*):[^@/]*@");

    public StoreUrl {
        options = Map.copyOf(options);
    }

    /** @throws IllegalArgumentException if it is not such a URL; its message says why */
    public static StoreUrl of(String text) {
        int colon = text.indexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException("it is not a URL: set local, redis://HOST:6379 or dynamodb:TABLE");
        }
        String rest = text.substring(colon + 1);
        int question = rest.indexOf('?');
        Map<String, String> options = new HashMap<>();
        if (question >= 0) {
            for (String pair : rest.substring(question + 1).split("&", -1)) {
                int equals = pair.indexOf('=');
                if (equals <= 0) {
                    throw new IllegalArgumentException("option '" + pair + "' has no value: write NAME=VALUE");
                }
                options.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
            }
        }
        return new StoreUrl(
                text.substring(0, colon).toLowerCase(Locale.ROOT),
                question < 0 ? rest : rest.substring(0, question),
                options);
    }

    /** A part of the body or an option, without its percent-encoding. */
    public static String decoded(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "a '%' is followed by something else than two hexadecimal digits: write %25", e);
        }
    }

    public Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }

    public boolean flag(String name, boolean byDefault) {
        String text = options.get(name);
        if (text == null) {
            return byDefault;
        }
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + " is '" + text + "': set true or false");
        };
    }

    /** Rejects options that the store does not read, so that a misspelt one is noticed. */
    public void allow(Set<String> names) {
        for (String name : options.keySet()) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no option '" + name + "': use " + String.join(", ", new TreeSet<>(names)));
            }
        }
    }

    /** The URL without its password. */
    public static String withoutSecrets(String url) {
        return PASSWORD.matcher(url).replaceAll("//$1:***@");
    }
}
