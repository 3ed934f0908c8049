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
            String told = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return new RedisFigures(
                    (long) sum(told, "cmdstat_(?:eval|evalsha):calls=(\\d+)"),
                    (long) sum(told, "cmdstat_(?:eval|evalsha):calls=\\d+,usec=(\\d+)"),
                    sum(told, "used_cpu_(?:user|sys):([\\d.]+)"));
        }
    }

    private static double sum(String told, String pattern) {
        Matcher lines = Pattern.compile(pattern).matcher(told);
        double sum = 0;
        while (lines.find()) {
            sum += Double.parseDouble(lines.group(1));
        }
        return sum;
    }
}
