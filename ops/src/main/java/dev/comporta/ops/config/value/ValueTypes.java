package dev.comporta.ops.config.value;

import dev.comporta.console.names.NearestName;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The types of values that settings have. */
public final class ValueTypes {
    private static final Duration LONGEST = Duration.ofDays(365);

    private ValueTypes() {}

    public static ValueType<String> text(String expectation) {
        return new ValueType<>(
                expectation,
                "",
                text -> {
                    if (text.isBlank()) {
                        throw new BadValue("is empty", "Write " + expectation + ".");
                    }
                    return text;
                },
                Function.identity());
    }

    /** A word of limited letters and length, because it becomes part of other names. */
    public static ValueType<String> identifier(String expectation) {
        return ValueType.matching(
                expectation,
                "[A-Za-z0-9][A-Za-z0-9._-]{0,127}",
                "has letters that can't be used here",
                "Use at most 128 letters, digits, '.', '_' and '-', a letter or digit first.");
    }

    /** The name of a DynamoDB table. */
    public static ValueType<String> tableName() {
        return ValueType.matching(
                "a table's name",
                "[A-Za-z0-9._-]{3,255}",
                "is not a name that DynamoDB allows",
                "Use 3 to 255 letters, digits, '.', '_' and '-'.");
    }

    /** {@code http://host:port} or {@code https://host:port}. */
    public static ValueType<URI> httpAddress() {
        return new ValueType<>(
                "http://host:port or https://host:port",
                URI.create("http://localhost"),
                text -> {
                    try {
                        URI address = new URI(text);
                        boolean isHttp = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
                        if (isHttp && address.getHost() != null) {
                            return address;
                        }
                    } catch (URISyntaxException e) {
                        // reported below
                    }
                    throw new BadValue("is not an HTTP address", "Write http://host:port or https://host:port.");
                },
                URI::toString);
    }

    public static ValueType<Integer> integer(int least, int most) {
        String expectation = "a whole number from " + least + (most == Integer.MAX_VALUE ? "" : " to " + most);
        return new ValueType<>(
                expectation,
                least,
                text -> {
                    long value;
                    try {
                        value = Long.parseLong(text);
                    } catch (NumberFormatException notANumber) {
                        throw new BadValue("is not a whole number", "Write " + expectation + ".");
                    }
                    if (value < least || value > most) {
                        throw new BadValue("is out of range", "Write " + expectation + ".");
                    }
                    return (int) value;
                },
                String::valueOf);
    }

    /** 0 lets the system choose a free port. */
    public static ValueType<Integer> listeningPort() {
        return integer(0, 65535);
    }

    public static ValueType<Integer> port() {
        return integer(1, 65535);
    }

    /** A duration that may not be zero. */
    public static ValueType<Duration> duration() {
        return duration(Duration.ofNanos(1_000), "a duration such as 30s");
    }

    /** A duration that may be zero, which turns the feature off. */
    public static ValueType<Duration> durationOrOff() {
        return duration(Duration.ZERO, "a duration such as 30s, or 0 for none");
    }

    private static ValueType<Duration> duration(Duration least, String expectation) {
        return new ValueType<>(
                expectation,
                Duration.ofSeconds(1),
                text -> {
                    Duration value = DurationText.parse(text);
                    if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
                        throw new BadValue(
                                "is out of range",
                                "Write a duration from " + DurationText.format(least) + " to "
                                        + DurationText.format(LONGEST) + ".");
                    }
                    return value;
                },
                DurationText::format);
    }

    public static ValueType<Integer> size(int least, int most) {
        String expectation = "a size from " + SizeText.format(least) + " to " + SizeText.format(most);
        return new ValueType<>(
                expectation,
                least,
                text -> {
                    long value = SizeText.parse(text);
                    if (value < least || value > most) {
                        throw new BadValue("is out of range", "Write " + expectation + ".");
                    }
                    return (int) value;
                },
                size -> SizeText.format(size));
    }

    public static ValueType<Boolean> bool() {
        return new ValueType<>(
                "true or false",
                false,
                text -> switch (text.toLowerCase(Locale.ROOT)) {
                    case "true", "yes", "on" -> true;
                    case "false", "no", "off" -> false;
                    default -> throw new BadValue("is neither true nor false", "Write true or false.");
                },
                String::valueOf);
    }

    /** One of an enum's constants, written in lower case. */
    public static <E extends Enum<E>> ValueType<E> choice(Class<E> type) {
        E[] constants = type.getEnumConstants();
        List<String> words = Arrays.stream(constants).map(ValueTypes::word).toList();
        String expectation = "one of " + String.join(", ", words);
        return new ValueType<>(
                expectation,
                constants[0],
                text -> {
                    int index = words.indexOf(text.toLowerCase(Locale.ROOT));
                    if (index < 0) {
                        throw new BadValue("is not known here", "Write " + expectation + "." + hint(text, words));
                    }
                    return constants[index];
                },
                ValueTypes::word);
    }

    // A YAML 1.1 tool rewrites on and off as true and false: suggest the original word.
    private static String hint(String text, List<String> words) {
        if (text.equals("true") && words.contains("on")) {
            return " Did you mean 'on'?";
        }
        if (text.equals("false") && words.contains("off")) {
            return " Did you mean 'off'?";
        }
        Optional<String> nearest = NearestName.among(words, text);
        return nearest.map(word -> " Did you mean '" + word + "'?").orElse("");
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    public static ValueType<Path> path() {
        return new ValueType<>(
                "the path of a file",
                Path.of(""),
                text -> {
                    try {
                        if (!text.isBlank()) {
                            return Path.of(text);
                        }
                    } catch (InvalidPathException invalid) {
                        throw new BadValue("is not a path", "Write the path of a file.");
                    }
                    throw new BadValue("is empty", "Write the path of a file.");
                },
                Path::toString);
    }

    public static ValueType<HiddenText> secret() {
        return new ValueType<>(
                "a secret such as ${NAME} or ${file:/path}",
                HiddenText.of(""),
                text -> {
                    if (text.isEmpty()) {
                        throw new BadValue("is empty", "Write ${NAME} or ${file:/path}.");
                    }
                    return HiddenText.of(text);
                },
                secret -> HiddenText.MASK,
                true);
    }

    public static ValueType<AddressRange> addressRange() {
        return new ValueType<>(
                "an address such as 10.1.2.3, or a range such as 10.1.0.0/16",
                new AddressRange(InetAddress.getLoopbackAddress(), 0),
                AddressRange::parse,
                AddressRange::toString);
    }

    /** A host, optionally with a port. */
    public static ValueType<HostPort> host() {
        return new ValueType<>(
                "a host name or host:port",
                new HostPort("localhost", 0),
                text -> HostPort.parse(text, 0),
                HostPort::toString);
    }

    public static ValueType<HostPort> hostPort(int defaultPort) {
        return new ValueType<>(
                "host:port",
                new HostPort("localhost", defaultPort),
                text -> HostPort.parse(text, defaultPort),
                HostPort::toString);
    }
}
