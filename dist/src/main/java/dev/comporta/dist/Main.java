package dev.comporta.dist;

import java.nio.file.Path;

/** Called by {@code dist/assemble}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        switch (args.length == 0 ? "" : args[0]) {
            case "parts" -> new Parts(Path.of(args[1]), Path.of(args[2])).write();
            case "train" -> Training.run(Path.of(args[1]), Path.of(args[2]));
            default -> {
                System.err.println("Usage: parts TREE SBOM | train TREE WORK_DIRECTORY");
                System.exit(2);
            }
        }
    }
}
