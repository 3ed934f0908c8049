package dev.comporta.proxy.login;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Login7;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;

/**
 * Logs in to a greeted server: sends LOGIN7, and keeps the whole response. Confined to the bucket's loop. Ends with exactly
 * one call of its {@link Outcome}, which must replace this handler.
 */
public final class ServerLogin extends ServerTalk {
    /** Receives the result. */
    public interface Outcome {
        void loggedIn(LoginResponse response);

        /** The server has rejected the login; its own error is in the response. */
        void rejected(LoginResponse response);

        /** The server sent no valid answer. */
        void failed(String why);
    }

    /** A login response has a few hundred bytes; whatever sends more than this is no SQL Server. */
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
    protected void received(ChannelHandlerContext ctx, ByteBuf answer) {
        LoginResponse response = LoginResponse.read(answer, login.negotiatedVersion());
        if (response.routedTo() != null) {
            fail(
                    ctx,
                    "it routes its clients to %s: make that the bucket's host and port".formatted(response.routedTo()));
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
