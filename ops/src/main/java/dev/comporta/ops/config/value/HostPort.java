package dev.comporta.ops.config.value;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An address to connect to. An IPv6 address is written in brackets. */
public record HostPort(String host, int port) {
    private static final Pattern WRITTEN =
            Pattern.compile("(?:\\[(?<v6>[0-9A-Fa-f:.%]+)]|(?<name>[^\\s:\\[\\]/]+))(?::(?<port>\\d{1,5}))?");

    public static HostPort parse(String text, int defaultPort) throws BadValue {
        Matcher matcher = WRITTEN.matcher(text);
        if (!matcher.matches()) {
            throw new BadValue(
                    "is not an address", "Write it like cache-1:" + defaultPort + " or [::1]:" + defaultPort + ".");
        }
        String port = matcher.group("port");
        int number = port == null ? defaultPort : Integer.parseInt(port);
        if (number < 1 || number > 65535) {
            throw new BadValue("has a port out of range", "A port is a number from 1 to 65535.");
        }
        String v6 = matcher.group("v6");
        return new HostPort(v6 == null ? matcher.group("name") : v6, number);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
