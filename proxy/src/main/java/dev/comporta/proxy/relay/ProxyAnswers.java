package dev.comporta.proxy.relay;

import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.prepared.UnprepareBatch;
import dev.comporta.proxy.relay.response.HandleRefusal;
import dev.comporta.proxy.relay.response.TransactionTracker;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.proxy.watch.RefusalCounts;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;

/** Answers that the proxy sends to a client in place of the server. Shared by the clients of a pool. */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by channelInactive
final class ProxyAnswers {
    /** DONEPROC's command code for the end of a procedure. */
    private static final int EXECUTE = 0xE0;

    /** Severity of an error that the client can correct. */
    private static final int SEVERITY = 16;

    private final LoginResponse login;
    private final RefusalCounts refusals;
    private final TokenWriter tokens;
    /** Whether answers are flushed together: a flush is a system call, and one read may bring thousands of cancels. */
    private boolean gathers;

    private boolean waiting;

    ProxyAnswers(LoginResponse login, RefusalCounts refusals) {
        this.login = login;
        this.refusals = refusals;
        tokens = new TokenWriter(login.format().version());
    }

    /** @return whether this call began to gather answers for {@link #flush} */
    boolean gather() {
        boolean first = !gathers;
        gathers = true;
        return first;
    }

    void flush(ChannelHandlerContext client) {
        gathers = false;
        if (waiting) {
            waiting = false;
            client.flush();
        }
    }

    /** Whether the client's login response describes a session like this one: otherwise it could misread responses. */
    boolean fits(PooledServer server) {
        return terms().equals(server.login().terms());
    }

    /** See {@link LoginResponse#terms}. */
    String terms() {
        return login.terms();
    }

    /** Sends the server's response to the login of the pool's first connection. */
    void login(ChannelHandlerContext client) {
        login.replay(new MessageWriter(client.alloc(), (packets, end) -> client.write(packets)));
        client.flush();
    }

    /** Acknowledges an attention that found nothing to cancel. */
    void attention(ChannelHandlerContext client) {
        done(client, DoneStatus.ATTN);
    }

    /** Answers a cancelled request that was not sent to a server: with two messages, as a server would. */
    void cancelled(ChannelHandlerContext client) {
        done(client, DoneStatus.ERROR);
        done(client, DoneStatus.ATTN);
    }

    /** Answers a request that the client withdrew by its last packet, and that was not sent to a server. */
    void givenUp(ChannelHandlerContext client) {
        done(client, DoneStatus.ERROR);
    }

    /** Refuses a call that names a handle. */
    void refused(ChannelHandlerContext client, HandleRefusal why) {
        ByteBuf response = client.alloc().buffer(512);
        error(response, why);
        tokens.doneProc(response, DoneStatus.ERROR, EXECUTE, 0);
        send(client, response);
    }

    private void error(ByteBuf response, HandleRefusal why) {
        tokens.error(response, why.number(), why.state(), SEVERITY, why.text(), login.serverName(), why.procedure(), 1);
    }

    /** Confirms that a handle was unprepared. */
    void unprepared(ChannelHandlerContext client) {
        ByteBuf response = client.alloc().buffer(32);
        tokens.returnStatus(response, 0);
        tokens.doneProc(response, 0, EXECUTE, 0);
        send(client, response);
    }

    /** Confirms that a batch has unprepared handles. */
    void unprepared(ChannelHandlerContext client, List<UnprepareBatch.Call> calls, boolean[] known) {
        ByteBuf response = client.alloc().buffer(32 * known.length);
        for (int i = 0; i < known.length; i++) {
            int more = i < known.length - 1 ? DoneStatus.MORE : 0;
            if (known[i]) {
                tokens.returnStatus(response, 0);
                tokens.doneProc(response, more, EXECUTE, 0);
            } else {
                error(
                        response,
                        HandleRefusal.unknown(
                                calls.get(i).handle(), calls.get(i).procedure()));
                tokens.returnStatus(response, HandleRefusal.UNKNOWN);
                tokens.doneProc(response, more | DoneStatus.ERROR, EXECUTE, 0);
            }
        }
        send(client, response);
    }

    private void done(ChannelHandlerContext client, int status) {
        ByteBuf done = client.alloc().buffer(32);
        tokens.done(done, status, 0, 0);
        send(client, done);
    }

    /** Sends an error. Logged here, so that each of these errors leaves one line, whether or not the client is closed for it. */
    void error(PooledClient client, ProxyError error, String advice) {
        ByteBuf response = client.ctx().alloc().buffer(256);
        error(client, error, advice, response);
        send(client.ctx(), response);
    }

    /**
     * Answers a request that has exceeded its timeout. The client does not get the response, but must know its present
     * transaction: servers refuse requests that name another one. Not flushed: a failing write would end the client before its
     * server connection is settled.
     */
    void timeout(PooledClient client, String advice, TransactionTracker told) {
        ByteBuf response = client.ctx().alloc().buffer(256);
        told.retell(tokens, response);
        error(client, ProxyError.QUERY_TIMEOUT, advice, response);
        write(client.ctx(), response);
    }

    private void error(PooledClient client, ProxyError error, String advice, ByteBuf response) {
        refusals.count(error);
        client.tellLogOfError(error.level(), error.number(), error.text(advice));
        error.write(response, tokens, advice);
    }

    private void send(ChannelHandlerContext client, ByteBuf response) {
        write(client, response);
        if (gathers) {
            waiting = true;
        } else {
            client.flush();
        }
    }

    private void write(ChannelHandlerContext client, ByteBuf response) {
        MessageWriter writer = new MessageWriter(client.alloc(), (packets, end) -> client.write(packets));
        writer.packetSize(login.packetSize());
        writer.begin(PacketType.TABULAR_RESULT).writeBytes(response).end();
        response.release();
    }
}
