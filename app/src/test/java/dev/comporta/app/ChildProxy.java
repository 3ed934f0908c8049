package dev.comporta.app;

import dev.comporta.standin.Standin;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A proxy in a process of its own, as {@code comporta run} starts it, with a stand-in of the test behind it. */
final class ChildProxy implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on .*:(\\d+), 1 bucket.*");
    private static final Pattern HEALTH = Pattern.compile("health on http://localhost:(\\d+)/.*");

    final Process process;
    final int port;
    final int healthPort;
    private final Path log;

    private ChildProxy(Process process, Path log) throws IOException {
        this.process = process;
        this.log = log;
        BufferedReader said = process.inputReader();
        int listening = 0;
        int health = 0;
        while (listening == 0 || health == 0) {
            String line = said.readLine();
            if (line == null) {
                throw new IOException("it did not start: " + Files.readString(log));
            }
            Matcher listener = LISTENING.matcher(line);
            Matcher http = HEALTH.matcher(line);
            if (listener.matches()) {
                listening = Integer.parseInt(listener.group(1));
            } else if (http.matches()) {
                health = Integer.parseInt(http.group(1));
            }
        }
        port = listening;
        healthPort = health;
    }

    /**
     * @param shell what a shell does before it becomes the proxy, such as {@code ulimit -n 200}
     * @param options of the JVM
     * @param settings keys below {@code proxy}, as flow YAML
     */
    static ChildProxy start(
            Path directory, Standin server, String shell, List<String> options, String settings, String bucket)
            throws IOException {
        return start(directory, server, shell, options, System.getProperty("java.class.path"), settings, bucket);
    }

    static ChildProxy start(
            Path directory,
            Standin server,
            String shell,
            List<String> options,
            String classPath,
            String settings,
            String bucket)
            throws IOException {
        Path proxy = Files.writeString(
                directory.resolve("proxy.yaml"),
                "proxy: {listen_addr: 0.0.0.0, " + (settings.contains("listen_port:") ? "" : "listen_port: 0, ")
                        + "health_check_port: 0, metrics_port: 0, event_loops: 2"
                        + (settings.isEmpty() ? "" : ", " + settings) + "}\n");
        Path buckets = Files.writeString(
                directory.resolve("buckets.yaml"), "buckets: [" + RunningProxy.bucket(server, "one", bucket) + "]\n");
        Path log = directory.resolve("child.log");
        List<String> command = new ArrayList<>(List.of("sh", "-c", shell + "; exec \"$0\" \"$@\""));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.add("-Dlogback.configurationFile=logback.xml"); // the log as it is outside of tests
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, Main.class.getName()));
        command.addAll(List.of("run", "--config", proxy.toString(), "--buckets", buckets.toString()));
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        try {
            return new ChildProxy(process, log);
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    String url(String options) {
        return url("127.0.0.1", options);
    }

    String url(String host, String options) {
        return "jdbc:sqlserver://" + host + ":" + port
                + ";databaseName=AppDB;encrypt=false;trustServerCertificate=true;user=sa;password="
                + RunningProxy.PASSWORD + ";" + options;
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
