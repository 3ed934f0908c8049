package dev.comporta.e2e.sessions;

import dev.comporta.tds.ProtocolException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Plays scripts against one port, and takes down the answers. */
record Player(int port, String user, String password, String database) {
    static final String NO_ANSWER = "NO ANSWER ";

    /** The answer to the login, and to each step; ends with the first one that got none. */
    List<List<String>> play(Script script) {
        List<List<String>> answers = new ArrayList<>();
        try (WireClient client = new WireClient(port, script.version())) {
            answers.add(client.login(user, password, database));
            for (Step step : script.steps()) {
                answers.add(client.play(step));
            }
        } catch (IOException | ProtocolException e) {
            answers.add(List.of(NO_ANSWER + e));
        }
        return answers;
    }
}
