package dev.comporta.e2e.dist;

import dev.comporta.standin.Standin;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code bin/comporta run} of the unpacked distribution, with a stand-in behind it. */
final class DistProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on .*:(\\d+), 1 bucket.*");

    final Process process;
    final int port;

    private DistProcess(Process process, Path log) throws IOException {
        this.process = process;
        BufferedReader said = process.inputReader();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            Matcher matcher = LISTENING.matcher(line);
            if (matcher.matches()) {
                port = Integer.parseInt(matcher.group(1));
                return;
            }
        }
        throw new IOException("it did not start: " + Files.readString(log));
    }

    static DistProcess start(Path directory, Standin server, Map<String, String> environment) throws IOException {
        Files.writeString(
                directory.resolve("proxy.yaml"),
                "proxy: {listen_addr: 127.0.0.1, listen_port: 0, health_check_port: 0, metrics_port: 0}\n");
        Files.writeString(directory.resolve("buckets.yaml"), """
                buckets:
                  - {id: one, host: 127.0.0.1, port: %d, database: AppDB, max_connections: 3, trust_server_certificate: true}
                """.formatted(server.port()));
        Path log = directory.resolve("log");
        ProcessBuilder command = UnpackedDist.get().command("run").directory(directory.toFile());
        command.environment().putAll(environment);
        Process process = command.redirectError(log.toFile()).start();
        try {
            return new DistProcess(process, log);
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    void signal(String name) throws IOException {
        UnpackedDist.run(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())));
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
}
