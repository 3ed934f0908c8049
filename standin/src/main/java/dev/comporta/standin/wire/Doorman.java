package dev.comporta.standin.wire;

import dev.comporta.standin.engine.EngineSession;
import dev.comporta.standin.engine.Message;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides who is let in. Called on virtual threads: it may take its time. */
@FunctionalInterface
public interface Doorman {
    EngineSession admit(Login7 login, int spid) throws Refused;

    /** How a login goes on that LOGIN7 alone does not settle; null for all others. */
    default @Nullable Negotiation negotiate(Login7 login) throws Refused {
        return null;
    }

    /** A login in two steps: the server asks, the client answers. */
    interface Negotiation {
        /** Appends the token that asks. */
        void ask(TokenWriter tokens, ByteBuf out);

        /** The type of the message that answers. */
        int answerType();

        EngineSession admit(byte[] answer, int spid) throws Refused;
    }

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
