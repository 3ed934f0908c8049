package dev.comporta.e2e.topology;
import java.util.List;
final class InstanceProgram {
    private InstanceProgram() {}
    static List<String> command() { throw new IllegalStateException(); }
}
