package dev.comporta.proxy.login;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Login7;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;

/**
 * Logs in to a server that was greeted: LOGIN7, and the server's answer, which is kept whole. Confined to the bucket's
 * loop. Ends with exactly one call of its {@link Outcome}; then it is to be replaced.
 */
public final class ServerLogin extends ServerTalk {
    /** What becomes of it. */
    public interface Outcome {
        void loggedIn(LoginResponse response);

        /** The server said no: its own words are in the response. */
        void rejected(LoginResponse response);

        /** The server gave no valid answer. */
        void failed(String why);
    }

    /** A login's answer is a few hundred bytes; a server that sends more than this is none. */
    private static final int MAX_ANSWER = 256 * 1024;

    private final ServerGreeting.Greeted server;
    private final Login7 login;
    private final Outcome outcome;

    public ServerLogin(ServerGreeting.Greeted server, Login7 login, Outcome outcome) {
        super(MAX_ANSWER);
        this.server = server;
        this.login = login;
        this.outcome = outcome;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        server.login(ctx, login);
    }

    @Override
    protected void heard(ChannelHandlerContext ctx, ByteBuf answer) {
        LoginResponse response = LoginResponse.read(answer, login.negotiatedVersion());
        if (response.routedTo() != null) {
            fail(
                    ctx,
                    "it sends its clients on to %s: make that the bucket's host and port"
                            .formatted(response.routedTo()));
            return;
        }
        TdsVersion version = response.format().version();
        if (response.isAcknowledged() && !version.isAtLeast(ClientLogin.OLDEST)) {
            fail(
                    ctx,
                    "it answers TDS %s to a login in TDS %s: only servers that speak %s or later are served"
                            .formatted(
                                    version.number(), login.negotiatedVersion().number(), ClientLogin.OLDEST.number()));
            return;
        }
        end();
        if (response.isAcknowledged()) {
            outcome.loggedIn(response);
        } else {
            outcome.rejected(response);
        }
    }

    @Override
    protected void failed(String why) {
        outcome.failed(why);
    }
}
