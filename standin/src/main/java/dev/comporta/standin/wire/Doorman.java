package dev.comporta.standin.wire;

import dev.comporta.standin.engine.EngineSession;
import dev.comporta.standin.engine.Message;
import dev.comporta.tds.login.Login7;
import java.util.List;

/** Decides who is let in. Called on virtual threads: it may take its time. */
@FunctionalInterface
public interface Doorman {
    EngineSession admit(Login7 login, int spid) throws Refused;

    /** The errors that tell the client why it was not let in. */
    final class Refused extends Exception {
        private final transient List<Message> messages;

        public Refused(List<Message> messages) {
            super(messages.getLast().text(), null, false, false);
            this.messages = List.copyOf(messages);
        }

        public List<Message> messages() {
            return messages;
        }
    }
}
