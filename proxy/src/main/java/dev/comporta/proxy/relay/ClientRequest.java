package dev.comporta.proxy.relay;

import dev.comporta.pool.PinReason;
import dev.comporta.pool.Pool;
import dev.comporta.pool.Refusal;
import dev.comporta.pool.Waiter;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;

/**
 * A client's request on its way out: it gets a server connection, which is brought into the client's state, and is sent.
 * What comes back is for {@link ClientResponse}. One object for all requests of a client, one after the other. Confined
 * to its bucket's loop.
 */
public final class ClientRequest {
    private final ClientSession client;
    private final ClientHost host;
    private final Pool pool;
    private final ProxyAnswers answers;
    private final Waiter waiter = new Waiter(this);
    private final ClientState session;
    private final ServerHold hold;
    private final ClientResponse response;
    private final HeldPackets held = new HeldPackets();

    private RequestPhase phase = RequestPhase.RESTING;
    private long since;

    ClientRequest(ClientSession client, ClientHost host, Pool pool, ProxyAnswers answers) {
        this.client = client;
        this.host = host;
        this.pool = pool;
        this.answers = answers;
        session = new ClientState(host.keepsResults());
        hold = new ServerHold(host);
        response = new ClientResponse(client, this, host, answers);
    }

    public Pool pool() {
        return pool;
    }

    public Waiter waiter() {
        return waiter;
    }

    /** The settings that the client wants to find. */
    public SessionState sessionState() {
        return session.settings();
    }

    RequestPhase phase() {
        return phase;
    }

    void phase(RequestPhase next) {
        phase = next;
    }

    /** When the client came to rest, or its request was sent on. */
    long since() {
        return since;
    }

    ClientState session() {
        return session;
    }

    ServerHold server() {
        return hold;
    }

    ClientResponse response() {
        return response;
    }

    // What has come of it, before it can be sent.

    void hold(ByteBuf packet) {
        held.add(packet);
        if (held.isFull()) {
            reading(false);
        }
    }

    /** Whether all of it has come. */
    boolean isWhole() {
        return held.endsWithMessage();
    }

    void forgetHeld() {
        held.release();
        reading(true);
    }

    /** Back-pressure: a server that does not read stops its client from being read. */
    void reading(boolean on) {
        if (phase != RequestPhase.CLOSED) {
            client.ctx().channel().config().setAutoRead(on && !held.isFull());
        }
    }

    /** Whether the client has sent something ahead while its last request ran. */
    boolean hasHeld() {
        return !held.isEmpty();
    }

    ByteBuf takeHeld() {
        return held.remove();
    }

    // A server connection for it.

    /** The client comes in. In session mode it gets the connection that it keeps before its login is answered. */
    void enter() {
        if (host.isSessionMode()) {
            phase = RequestPhase.ENTERING;
            host.acquire(this);
        } else {
            answerLogin();
        }
    }

    private void answerLogin() {
        rest();
        answers.login(client.ctx());
        client.requestEnded();
    }

    /** A request begins with this packet. */
    void begin(ByteBuf packet) {
        hold(packet);
        if (!hold.isEmpty()) {
            send(false);
            return;
        }
        HandOver.simplifyReset(packet);
        phase = RequestPhase.QUEUED;
        host.acquire(this);
    }

    /** The client has a server connection. */
    public void attached(ServerSession given) {
        hold.take(given, response);
        switch (phase) {
            case QUEUED -> {
                try {
                    prepare(given);
                } catch (RuntimeException broken) {
                    // Its request makes no sense. Whoever gave the connection back stands below on this stack.
                    phase = RequestPhase.SENDING;
                    client.exceptionCaught(client.ctx(), broken);
                }
            }
            case ENTERING -> {
                hold.keep(PinReason.SESSION_MODE);
                if (given.connection().changedHands()) {
                    given.ask(session.settings().toSql(), true, this::enteredOn);
                } else {
                    answerLogin();
                }
            }
            default -> throw new IllegalStateException("attached while " + phase);
        }
    }

    private void enteredOn(boolean failed) {
        if (failed) {
            client.close("its server connection could not be reset");
        } else {
            hold.server().broughtInto(session.settings());
            if (host.mayUse(hold.server())) {
                answerLogin();
            } else {
                waitAgain(RequestPhase.ENTERING);
            }
        }
    }

    /** What it was given is no longer ours to use. */
    private void waitAgain(RequestPhase as) {
        phase = as;
        hold.release(session.settings());
        host.acquire(this);
    }

    private void prepare(ServerSession given) {
        ByteBuf first = held.first();
        boolean asksReset = HandOver.asksReset(first);
        if (asksReset) {
            session.reset();
        }
        switch (HandOver.plan(session.settings(), given, first)) {
            case AS_IT_IS -> send(false);
            // A client that asks for it has set the bit itself, and wants to see it acknowledged.
            case RESET_WITH_REQUEST -> send(!asksReset);
            case APPLY_FIRST -> {
                phase = RequestPhase.PREPARING;
                given.ask(session.settings().toSql(), true, this::prepared);
            }
        }
    }

    private void prepared(boolean failed) {
        boolean cancelled = phase == RequestPhase.PREPARING_CANCELLED;
        String complaint = hold.server().tracker().complaint();
        if (failed) {
            hold.releaseDirty(); // the next one must not find the half of it
        } else {
            hold.server().broughtInto(session.settings());
        }
        if (cancelled) {
            rest();
            if (!failed) {
                hold.release(session.settings());
            }
            response.cancelled();
        } else if (failed) {
            response.refuse(
                    ProxyError.SERVER_UNAVAILABLE,
                    "the server no longer takes what this session has set (%s): %s Connect again."
                            .formatted(session.settings().toSql(), complaint));
        } else if (!host.mayUse(hold.server())) {
            waitAgain(RequestPhase.QUEUED);
        } else {
            send(false);
        }
    }

    /** The client gets none. */
    public void refused(Refusal why) {
        if (phase == RequestPhase.ENTERING) {
            response.tell(why);
            client.close("it got no server connection: " + why);
        } else {
            response.refuse(why);
        }
    }

    // On its way out.

    private void send(boolean reset) {
        ServerSession given = hold.server();
        ByteBuf first = held.first();
        if (HandOver.asksReset(first)) {
            session.reset();
        }
        given.beginRequest(first, reset);
        given.inspector().begin(first);
        given.reading(client.isWritable());
        since = host.now();
        phase = RequestPhase.SENDING;
        while (phase == RequestPhase.SENDING && !held.isEmpty()) {
            send(held.remove());
        }
        reading(given.isWritable());
        given.flush();
    }

    /** Sends a packet on. Takes it. */
    void send(ByteBuf packet) {
        ServerSession given = hold.server();
        try {
            given.inspector().read(packet);
        } catch (RuntimeException broken) {
            packet.release();
            throw broken;
        }
        boolean last = PacketHeader.isEndOfMessage(packet);
        given.forward(packet);
        if (last) {
            phase = RequestPhase.RESPONDING;
        } else if (!given.isWritable()) {
            reading(false);
        }
    }

    void flush() {
        if (!hold.isEmpty()) {
            hold.server().flush();
        }
    }

    /** The client does not want it any more. */
    void cancel() {
        switch (phase) {
            case QUEUED -> {
                if (!host.cancel(this)) {
                    throw new IllegalStateException("queued, and not in the queue");
                }
                forgetHeld();
                response.cancelled();
            }
            case PREPARING -> {
                forgetHeld();
                phase = RequestPhase.PREPARING_CANCELLED;
            }
            case SENDING -> {
                // Drivers mark the last packet instead, but a server takes this too: it forgets what has come so far.
                phase = RequestPhase.CANCELLING;
                hold.server().cutShort();
            }
            case RESPONDING -> {
                phase = RequestPhase.CANCELLING;
                hold.server().sendAttention();
            }
            case REFUSED -> response.cancelled();
            default -> throw new IllegalStateException("cancelled while " + phase);
        }
    }

    /** None runs any more. */
    void rest() {
        phase = RequestPhase.RESTING;
        since = host.now();
    }

    // Its end.

    /** The client is gone: what it has is given back as it is. */
    void end() {
        RequestPhase was = phase;
        phase = RequestPhase.CLOSED;
        held.release();
        switch (was) {
            case QUEUED -> host.cancel(this);
            case RESTING -> hold.releaseDirty();
            case RESPONDING, CANCELLING, TIMED_OUT -> hold.abandon();
            case ENTERING, SENDING, PREPARING, PREPARING_CANCELLED, PROBING -> {
                if (hold.isEmpty()) {
                    host.cancel(this);
                } else {
                    hold.discard();
                }
            }
            case REFUSED, CLOSED -> {}
        }
    }
}
