package dev.comporta.ops.config.yaml;

/** A place in a file as editors count: the first line and the first column are 1. */
public record Location(String file, int line, int column) implements Comparable<Location> {
    @Override
    public int compareTo(Location other) {
        int byFile = file.compareTo(other.file);
        if (byFile != 0) {
            return byFile;
        }
        int byLine = Integer.compare(line, other.line);
        return byLine != 0 ? byLine : Integer.compare(column, other.column);
    }

    @Override
    public String toString() {
        return file + ":" + line + ":" + column;
    }
}
