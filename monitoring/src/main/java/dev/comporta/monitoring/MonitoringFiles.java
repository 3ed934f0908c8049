package dev.comporta.monitoring;

import dev.comporta.monitoring.alert.AlertFile;
import dev.comporta.monitoring.alert.Alerts;
import dev.comporta.monitoring.board.Board;
import dev.comporta.monitoring.board.BoardFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Every file that is made from the description. */
public final class MonitoringFiles {
    /** In this repository. If its pages are published elsewhere, another address is given. */
    public static final String RUNBOOK = "docs/runbook.md";

    private MonitoringFiles() {}

    /**
     * By their path below {@code deploy/}.
     *
     * @param runbook the address to which alerts lead
     */
    public static Map<String, String> all(String runbook) {
        Map<String, String> files = new TreeMap<>();
        String alerts = AlertFile.of(Alerts.groups(), runbook);
        files.put("prometheus/alerts.yml", alerts);
        // A chart is packed with what is below it, and nothing else.
        files.put("helm/comporta/files/alerts.yml", alerts);
        for (Board board : Board.all()) {
            String text = BoardFile.of(board);
            files.put("grafana/dashboards/" + board.id() + ".json", text);
            files.put("helm/comporta/files/dashboards/" + board.id() + ".json", text);
        }
        return files;
    }

    static void write(Path directory, String runbook) throws IOException {
        for (Map.Entry<String, String> file : all(runbook).entrySet()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(path.toAbsolutePath().getParent());
            Files.writeString(path, file.getValue());
        }
    }
}
