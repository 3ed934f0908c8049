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

/** All files that are made from the description. */
public final class MonitoringFiles {
    /** The runbook in this repository. Another address is given if its pages are published elsewhere. */
    public static final String RUNBOOK = "docs/runbook.md";

    private MonitoringFiles() {}

    /**
     * The files by their path below {@code deploy/}.
     *
     * @param runbook the address to which alerts link
     */
    public static Map<String, String> all(String runbook) {
        Map<String, String> files = new TreeMap<>();
        String alerts = AlertFile.of(Alerts.groups(), runbook);
        files.put("prometheus/alerts.yml", alerts);
        // Copied into the chart, because a packed chart contains only files below it.
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
