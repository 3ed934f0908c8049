package dev.comporta.ops.config.value;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address to connect to. An IPv6 address is written in brackets.
 *
 * @param port 0 if none was written: another key has it
 */
public record HostPort(String host, int port) {
    private static final Pattern WRITTEN =
            Pattern.compile("(?:\\[(?<v6>[0-9A-Fa-f:.%]+)]|(?<name>[^\\s:\\[\\]/]+))(?::(?<port>\\d{1,5}))?");

    public static HostPort parse(String text, int defaultPort) throws BadValue {
        Matcher matcher = WRITTEN.matcher(text);
        if (!matcher.matches()) {
            int example = defaultPort == 0 ? 1433 : defaultPort;
            String name = defaultPort == 0 ? "sql-1" : "cache-1";
            throw new BadValue(
                    "is not an address", "Write it like " + name + ":" + example + " or [::1]:" + example + ".");
        }
        String port = matcher.group("port");
        int number = port == null ? defaultPort : Integer.parseInt(port);
        if (port != null && (number < 1 || number > 65535)) {
            throw new BadValue("has a port out of range", "A port is a number from 1 to 65535.");
        }
        String v6 = matcher.group("v6");
        return new HostPort(v6 == null ? matcher.group("name") : v6, number);
    }

    /** @param other the port to use if this has none */
    public HostPort withPort(int other) {
        return port == 0 ? new HostPort(host, other) : this;
    }

    @Override
    public String toString() {
        String written = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == 0 ? written : written + ":" + port;
    }
}
