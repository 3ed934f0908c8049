package dev.comporta.jdbc.config;

import dev.comporta.lease.url.StoreUrl;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The settings of one pool, stored as texts and read as typed values. Not thread-safe. */
public final class Settings {
    private static final Pattern DURATION = Pattern.compile("(\\d+) *(ns|us|ms|s|m|h|d)?");
    private static final String DRIVER_PREFIX = "dataSource.";

    private final EnumMap<Setting, String> texts = new EnumMap<>(Setting.class);
    private final EnumMap<Setting, String> defaults = new EnumMap<>(Setting.class);
    /** Where a default came from, such as an environment variable, if not from the setting itself. */
    private final EnumMap<Setting, String> origins = new EnumMap<>(Setting.class);

    private final Properties driverProperties = new Properties();
    private final Map<String, String> environment;

    public Settings() {
        this(System.getenv());
    }

    /** @param environment variables of the process */
    public Settings(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    public Settings(Settings from) {
        texts.putAll(from.texts);
        defaults.putAll(from.defaults);
        origins.putAll(from.origins);
        driverProperties.putAll(from.driverProperties);
        environment = from.environment;
    }

    Map<String, String> environment() {
        return environment;
    }

    /**
     * Sets by name. {@code dataSource.…} is a property of the driver.
     *
     * @throws IllegalArgumentException for an unknown name or a value that is not valid
     */
    public void set(String name, String value) {
        if (name.startsWith(DRIVER_PREFIX)) {
            driverProperties.setProperty(name.substring(DRIVER_PREFIX.length()), value);
        } else {
            set(Setting.named(name), value);
        }
    }

    public void set(Setting setting, @Nullable String value) {
        if (value == null) {
            texts.remove(setting);
        } else {
            texts.put(setting, value.strip());
        }
    }

    /** Sets a default: an explicit value takes precedence. */
    public void setDefault(Setting setting, String value) {
        defaults.put(setting, value);
        origins.remove(setting);
    }

    /** @param origin where the value comes from, for errors: the name of an environment variable */
    void setDefault(Setting setting, String value, String origin) {
        defaults.put(setting, value);
        origins.put(setting, origin);
    }

    /** Whether it was set by name, and not by a profile or a default. */
    boolean isExplicit(Setting setting) {
        return texts.containsKey(setting);
    }

    public void setDriverProperty(String name, String value) {
        driverProperties.setProperty(name, value);
    }

    public Properties driverProperties() {
        return driverProperties;
    }

    public boolean isSet(Setting setting) {
        return !text(setting).isEmpty();
    }

    /** The value; empty if it is not set and has no default. */
    public String text(Setting setting) {
        String text = texts.get(setting);
        return text != null ? text : defaults.getOrDefault(setting, setting.byDefault());
    }

    public @Nullable String textOrNull(Setting setting) {
        String text = text(setting);
        return text.isEmpty() ? null : text;
    }

    public int number(Setting setting) {
        try {
            return Integer.parseInt(text(setting));
        } catch (NumberFormatException _) {
            throw wrong(setting, "set a whole number");
        }
    }

    public boolean flag(Setting setting) {
        return switch (text(setting).toLowerCase(Locale.ROOT)) {
            case "true", "on", "yes" -> true;
            case "false", "off", "no" -> false;
            default -> throw wrong(setting, "set true or false");
        };
    }

    public @Nullable Boolean flagOrNull(Setting setting) {
        return isSet(setting) ? flag(setting) : null;
    }

    /** {@code 500ms}, {@code 30s}, {@code 11m}, {@code 2h}; a number alone is in milliseconds, as with HikariCP. */
    public Duration time(Setting setting) {
        String text = text(setting);
        if (text.startsWith("P")) {
            try {
                return Duration.parse(text);
            } catch (DateTimeParseException _) {
                throw wrong(setting, "set a duration such as 30s, 11m or 500ms");
            }
        }
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) {
            throw wrong(setting, "set a duration such as 30s, 11m or 500ms");
        }
        long amount;
        try {
            amount = Long.parseLong(parts.group(1));
        } catch (NumberFormatException _) {
            throw wrong(setting, "set a shorter duration");
        }
        String unit = parts.group(2) == null ? "ms" : parts.group(2);
        return switch (unit) {
            case "ns" -> Duration.ofNanos(amount);
            case "us" -> Duration.ofNanos(Math.multiplyExact(amount, 1000));
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            case "d" -> Duration.ofDays(amount);
            default -> Duration.ofMillis(amount);
        };
    }

    public <E extends Enum<E>> E choice(Setting setting, Class<E> type) {
        String wanted = text(setting).replace('-', '_').toUpperCase(Locale.ROOT);
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(wanted)) {
                return constant;
            }
        }
        throw wrong(setting, "set one of " + lowerCase(type));
    }

    private static <E extends Enum<E>> String lowerCase(Class<E> type) {
        StringBuilder names = new StringBuilder();
        for (E constant : type.getEnumConstants()) {
            names.append(names.isEmpty() ? "" : ", ").append(constant.name().toLowerCase(Locale.ROOT));
        }
        return names.toString();
    }

    public IllegalArgumentException wrong(Setting setting, String advice) {
        String name = isExplicit(setting) ? setting.key() : origins.getOrDefault(setting, setting.key());
        String value = setting == Setting.PASSWORD ? "not right" : "\"" + shown(setting, text(setting)) + "\"";
        return new IllegalArgumentException(name + " is " + value + ": " + advice);
    }

    /** The explicit settings, without secrets. */
    public Map<Setting, String> shown() {
        EnumMap<Setting, String> all = new EnumMap<>(texts);
        all.replaceAll(Settings::shown);
        return all;
    }

    private static String shown(Setting setting, String text) {
        return setting == Setting.PASSWORD ? "***" : setting == Setting.LEASES ? StoreUrl.withoutSecrets(text) : text;
    }
}
