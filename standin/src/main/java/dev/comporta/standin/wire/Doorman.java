package dev.comporta.standin.wire;

import dev.comporta.standin.engine.EngineSession;
import dev.comporta.standin.engine.Message;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Authenticates clients. Called on virtual threads: it may block. */
@FunctionalInterface
public interface Doorman {
    EngineSession admit(Login7 login, int spid) throws Refused;

    /** The negotiation of a login that takes more messages than LOGIN7; null for all others. */
    default @Nullable Negotiation negotiate(Login7 login) throws Refused {
        return null;
    }

    /** A login in two steps: the server sends a challenge, the client answers. */
    interface Negotiation {
        /** Appends the token with the challenge. */
        void ask(TokenWriter tokens, ByteBuf out);

        /** The packet type of the answer. */
        int answerType();

        EngineSession admit(byte[] answer, int spid) throws Refused;
    }

    /** The errors that tell the client why its login was refused. */
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
