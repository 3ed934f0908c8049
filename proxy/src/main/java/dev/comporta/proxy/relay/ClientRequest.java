package dev.comporta.proxy.relay;

import dev.comporta.pool.Pool;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;

/**
 * A client's request on its way out: it gets a server connection, which is brought into the client's state, and is sent.
 * What comes back is for {@link ClientResponse}. One object for all requests of a client, one after the other. Confined
 * to its bucket's loop.
 */
public final class ClientRequest {
    /** A server that loses its connections one after the other will not be better at the next try. */
    private static final int MOST_ANEW = 3;

    private final ClientSession client;
    private final ClientHost host;
    private final Pool pool;
    private final ProxyAnswers answers;
    private final Waiter waiter;
    private final ClientState session;
    private final ServerHold hold;
    private final ClientResponse response;
    private final HeldPackets held = new HeldPackets();

    private RequestPhase phase = RequestPhase.RESTING;
    private long since;
    /** When the latest packet of a request came that is not complete. */
    private long heardAt;
    /** How often the present request was given a connection that was lost before any of it was sent. */
    private int lostBeforeSending;

    ClientRequest(ClientSession client, ClientHost host, Pool pool, ProxyAnswers answers) {
        this.client = client;
        this.host = host;
        this.pool = pool;
        this.answers = answers;
        waiter = host.waiter(this);
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

    /** Whether a part of a request has come, and nothing but the client keeps the rest. */
    boolean isComing() {
        return phase == RequestPhase.GATHERING
                || phase == RequestPhase.REFUSED
                || phase == RequestPhase.ANSWERED_EARLY
                || (phase == RequestPhase.SENDING && hold.server().isWritable());
    }

    /** When the latest packet of a request came that is still coming. */
    long heardAt() {
        return heardAt;
    }

    /** A packet has come of a request that will not be sent. */
    void heard() {
        heardAt = host.now();
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
        return held.hasMessage();
    }

    /** Takes away the request at hand, of which nothing was sent; what came behind it stays. */
    void dropHeld() {
        held.dropMessage();
        reading(true);
    }

    int heldType() {
        return PacketHeader.type(held.first());
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

    /** A request begins with the packets that are held. */
    void begin() {
        lostBeforeSending = 0;
        heardAt = host.now();
        if (hold.isEmpty()) {
            phase = RequestPhase.GATHERING;
            gathered();
        } else if (held.isCancelled() && !HandOver.asksReset(held.first())) {
            cancelHeld();
        } else {
            send(false);
        }
    }

    /** Takes the next packet of a request that has no server connection yet. */
    void gather(ByteBuf packet) {
        if (PacketHeader.type(packet) != heldType()) {
            int type = PacketHeader.type(packet);
            packet.release();
            throw new ProtocolException("%s within a request".formatted(PacketType.name(type)));
        }
        heardAt = host.now();
        hold(packet);
        gathered();
    }

    /**
     * Nobody gets a server connection for half a request: whoever stalls would hold it against all others. Only a request
     * that is larger than what is held of it is sent on as it comes.
     */
    private void gathered() {
        if (held.isCancelled()) {
            cancelHeld();
        } else if (held.isGivenUp()) {
            boolean reset = HandOver.asksReset(held.first());
            dropHeld();
            if (reset) {
                session.reset();
            }
            response.givenUp();
        } else if (held.hasMessage() || held.isFull()) {
            HandOver.simplifyReset(held.first());
            phase = RequestPhase.QUEUED;
            host.acquire(this);
        }
    }

    /** Whether a server that never ran it would have reset the session is not known; the client wants it reset. */
    private void cancelHeld() {
        boolean reset = HandOver.asksReset(held.first());
        dropHeld();
        if (reset) {
            session.reset();
        }
        response.cancelled();
    }

    /** The client has a server connection. */
    public void attached(ServerSession given) {
        hold.take(given, response);
        if (given.isClosing()) {
            RequestPhase waiting = phase;
            hold.discard();
            if (!attachAnew(waiting)) {
                refused(Refusal.SERVER_UNAVAILABLE);
            }
            return;
        }
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
                    given.ask(given.sqlAfterReset(session.settings()), true, this::enteredOn);
                } else {
                    answerLogin();
                }
            }
            case RESTING,
                    GATHERING,
                    PREPARING,
                    PREPARING_CANCELLED,
                    SENDING,
                    RESPONDING,
                    CANCELLING,
                    TIMED_OUT,
                    PROBING,
                    REFUSED,
                    ANSWERED_EARLY,
                    CLOSED -> throw new IllegalStateException("attached while " + phase);
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
                given.ask(given.sqlAfterReset(session.settings()), true, this::prepared);
            }
        }
    }

    private void prepared(boolean failed) {
        boolean cancelled = phase == RequestPhase.PREPARING_CANCELLED;
        String complaint = hold.server().tracker().complaint();
        boolean unheard = failed && complaint.isEmpty();
        if (unheard) {
            hold.discard(); // it did not say that it has reset the session
        } else if (failed) {
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
        } else if (unheard) {
            if (!attachAnew(RequestPhase.QUEUED)) {
                response.refuse(Refusal.SERVER_UNAVAILABLE);
            }
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

    /**
     * The connection was lost before any of the request was sent: so nothing of it has run, and it can have another.
     *
     * @return whether it has asked for one; not if that has happened so often that the server must be the reason
     */
    boolean attachAnew(RequestPhase as) {
        if (++lostBeforeSending > MOST_ANEW) {
            return false;
        }
        phase = as;
        host.acquire(this);
        return true;
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
        given.inspector().begin(first, host.procedures());
        given.reading(client.isWritable());
        since = host.now();
        phase = RequestPhase.SENDING;
        while (phase == RequestPhase.SENDING && !held.isEmpty()) {
            ByteBuf packet = held.remove();
            if (PacketHeader.type(packet) == PacketType.ATTENTION) {
                packet.release();
                cancel();
            } else {
                send(packet);
            }
        }
        reading(given.isWritable());
        given.flush();
        // It may have come with the request, while nobody could act on it.
        if (phase == RequestPhase.RESPONDING && !held.isEmpty() && heldType() == PacketType.ATTENTION) {
            held.remove().release();
            cancel();
        }
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
            return;
        }
        heardAt = host.now();
        if (!given.isWritable()) {
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
                cancelHeld();
            }
            case GATHERING -> cancelHeld();
            case PREPARING -> {
                dropHeld();
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
            case ANSWERED_EARLY -> response.attentionAfterAnswer();
            case ENTERING, RESTING, PREPARING_CANCELLED, CANCELLING, TIMED_OUT, PROBING, CLOSED ->
                throw new IllegalStateException("cancelled while " + phase);
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
            case PROBING -> hold.abandonProbe();
            case ENTERING, SENDING, PREPARING, PREPARING_CANCELLED -> {
                if (hold.isEmpty()) {
                    host.cancel(this);
                } else {
                    hold.discard();
                }
            }
            case GATHERING, REFUSED, ANSWERED_EARLY, CLOSED -> {}
        }
    }
}
