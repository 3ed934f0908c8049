package dev.comporta.e2e.sessions;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a session was told directly and was not told through the proxy.
 *
 * @param at which answer is the first to differ; 0 is the login's
 */
record Difference(Script script, int at, List<String> direct, List<String> proxied) {
    static @Nullable Difference between(Script script, List<List<String>> direct, List<List<String>> proxied) {
        for (int i = 0; i < Math.max(direct.size(), proxied.size()); i++) {
            List<String> left = i < direct.size() ? direct.get(i) : List.of();
            List<String> right = i < proxied.size() ? proxied.get(i) : List.of();
            if (!left.equals(right)) {
                return new Difference(script, i, left, right);
            }
        }
        return null;
    }

    @Override
    public String toString() {
        String request = at == 0
                ? "LOGIN7"
                : at <= script.steps().size() ? script.steps().get(at - 1).toString() : "?";
        StringBuilder shown = new StringBuilder(script + "\n  answer " + at + ", to " + request);
        for (int i = 0; i < Math.max(direct.size(), proxied.size()); i++) {
            String left = i < direct.size() ? direct.get(i) : "";
            String right = i < proxied.size() ? proxied.get(i) : "";
            if (left.equals(right)) {
                shown.append("\n    both  ").append(left);
            } else {
                shown.append("\n  direct  ").append(left).append("\n proxied  ").append(right);
            }
        }
        return shown.toString();
    }
}
