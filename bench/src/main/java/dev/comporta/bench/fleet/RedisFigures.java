package dev.comporta.bench.fleet;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Statistics that Redis reports about itself.
 *
 * @param scripts runs of scripts, which are the instances' calls
 * @param scriptMicros the microseconds that they took
 * @param cpuSeconds the CPU time of its process
 */
record RedisFigures(long scripts, long scriptMicros, double cpuSeconds) {
    static RedisFigures of(String host, int port) throws IOException {
        try (Socket socket = new Socket(host, port)) {
            socket.getOutputStream()
                    .write("INFO commandstats\r\nINFO cpu\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
            String info = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return new RedisFigures(
                    (long) sum(info, "cmdstat_(?:eval|evalsha):calls=(\\d+)"),
                    (long) sum(info, "cmdstat_(?:eval|evalsha):calls=\\d+,usec=(\\d+)"),
                    sum(info, "used_cpu_(?:user|sys):([\\d.]+)"));
        }
    }

    private static double sum(String info, String pattern) {
        Matcher lines = Pattern.compile(pattern).matcher(info);
        double sum = 0;
        while (lines.find()) {
            sum += Double.parseDouble(lines.group(1));
        }
        return sum;
    }
}
