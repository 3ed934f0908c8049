package dev.comporta.proxy.relay;

import dev.comporta.pool.Pool;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.line.ClientLine;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.prepared.ClientHandles;
import dev.comporta.proxy.relay.known.SessionKnowledge;
import dev.comporta.proxy.watch.ClientIdentity;
import dev.comporta.proxy.watch.ClientSnapshot;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * A logged-in client that shares server connections: each request runs on the connection it is given, or all on the one that
 * the client is pinned to. Every event arrives here, from the client's channel, the broker, the server connection and the
 * clock; {@link ClientMachine} decides what it means. Confined to its bucket's loop.
 *
 * <p>A request that ends only leaves the client idle. The next one is begun at the end of the event, in a loop ({@link
 * #goOn}): thousands that are answered, cancelled or refused at once must not pile up on the stack. It is begun only when the
 * client has read its last response: otherwise the responses of one that never reads would pile up in memory.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by channelInactive
public final class PooledClient extends ClientLine implements OwnAnswer {
    private final ConnectionBroker broker;
    private final Pool pool;
    private final Waiter waiter;
    private final ClientMachine machine = new ClientMachine();
    private final ClientState state;
    private final ServerHold hold;
    private final ProxyAnswers answers;
    private final RequestPath requests;
    private final ResponsePath responses;
    private final ClientDeadlines deadlines;
    private final Parting parting;
    private final long enteredAt;

    /**
     * @param id its number in this instance
     * @param login the server's response to the login of this client's pool
     */
    public PooledClient(long id, ClientIdentity identity, ConnectionBroker broker, Pool pool, LoginResponse login) {
        super(id, identity);
        this.broker = broker;
        this.pool = pool;
        waiter = broker.waiter(this);
        ClientHandles handles =
                broker.isSessionMode() ? null : new ClientHandles(broker.preparedTexts(), broker.pinsPrepared());
        state = new ClientState(broker.keepsResults(), handles);
        hold = new ServerHold(broker);
        answers = new ProxyAnswers(login, broker.counters().refusals);
        requests = new RequestPath(this, broker, machine, state, hold, answers, login.requestFormat());
        responses = new ResponsePath(this, broker, machine, state, hold, answers, requests);
        deadlines = new ClientDeadlines(this, broker, machine, hold, requests, responses);
        parting = new Parting(this, broker, machine, state, hold);
        enteredAt = broker.now();
    }

    public Pool pool() {
        return pool;
    }

    public Waiter waiter() {
        return waiter;
    }

    /** The distance between a client and the session of a connection, as the pool core asks for it; 1 for anything else. */
    public static int apart(@Nullable Object client, @Nullable Object session) {
        return client instanceof PooledClient wanting && session instanceof SessionKnowledge known
                ? wanting.state.distance(known)
                : 1;
    }

    ClientPhase phase() {
        return machine.phase();
    }

    ServerHold hold() {
        return hold;
    }

    // Events of the client's channel.

    /** The client is admitted: answers its login as the server would. */
    public void enter() {
        requests.entry().begin();
        goOn();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf packet = (ByteBuf) message;
        countReceived(packet);
        answers.gather();
        if (PacketHeader.type(packet) == PacketType.ATTENTION) {
            attention(packet);
        } else if (PacketHeader.isGivenUpWithoutEnd(packet)) {
            // MS-TDS forbids it. A server that took the rest as another request would answer twice.
            packet.release();
            throw new ProtocolException("a request that is withdrawn by a packet other than its last");
        } else {
            packet(packet);
        }
        goOn();
    }

    private void packet(ByteBuf packet) {
        switch (machine.packet()) {
            case BEGIN -> {
                requests.packets().hold(packet);
                if (isWritable()) {
                    begin();
                }
            }
            case GATHER -> {
                requests.packets().gather(packet);
                requests.gathered();
            }
            case SEND -> requests.send(packet);
            case HOLD -> requests.packets().hold(packet);
            case SKIP -> requests.skip(packet);
            case RELEASE -> packet.release();
        }
    }

    private void begin() {
        countRequest();
        parting.requestBegins();
        requests.begin();
    }

    private void attention(ByteBuf packet) {
        ClientMachine.OnAttention verdict = machine.attention();
        boolean later = verdict == ClientMachine.OnAttention.ACKNOWLEDGE && !mayBeTold();
        if (verdict == ClientMachine.OnAttention.HOLD || later) {
            requests.packets().hold(packet);
        } else {
            packet.release();
            requests.attention(verdict);
        }
    }

    /** Whether the client, which is idle, has read its last response, and has no earlier packet held. */
    private boolean mayBeTold() {
        return isWritable() && requests.packets().held().isEmpty();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        answers.flush(ctx);
        if (!hold.isEmpty()) {
            hold.server().flush();
        }
    }

    /** Back-pressure: a client that does not read stops its server connection from being read. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (!hold.isEmpty()) {
            hold.server().reading(isWritable());
        }
        if (isWritable() && !requests.packets().held().isEmpty()) {
            ctx.executor().execute(this::goOn); // not at once: this may be within a write to the client
        }
    }

    // Events of the broker.

    /** The client got a server connection. */
    public void attached(PooledServer given) {
        requests.attached(given);
        goOn();
    }

    /** The client is refused a server connection. */
    public void refused(Refusal why) {
        requests.refused(why);
        goOn();
    }

    /** The connection meant for the client was lost: requests another. */
    public void lost() {
        requests.lost();
        goOn();
    }

    // Events of its server connection.

    /** Takes a packet for the client. */
    void forward(ByteBuf packet) {
        requests.prepared().drop();
        if (!machine.passesResponse()) {
            packet.release();
            return;
        }
        write(packet);
        if (!isWritable() && !hold.isEmpty()) { // empty if the write has closed the client
            hold.server().reading(false);
        }
    }

    /** Back-pressure: a server that does not read stops its client from being read. */
    void serverReads(boolean on) {
        requests.packets().reading(on);
    }

    /**
     * The response returned an integer.
     *
     * @return the number that the client gets instead
     */
    long returned(int ordinal, long value) {
        if (!machine.passesResponse()) {
            return value; // the client does not get it
        }
        PooledServer given = hold.server();
        return state.returned(given.inspector(), given.session().handles(), ordinal, value);
    }

    /** Whether the running request was kept, and can be sent again. */
    boolean mayRepeat() {
        return machine.isResponding() && requests.prepared().mayRepeat();
    }

    /** The request did not run, because the server does not know its handle. */
    void repeat() {
        requests.repeat();
        goOn();
    }

    /** The client has unprepared handles, which may have been its only pin. */
    void givenBack() {
        responses.settleKept();
    }

    void responseEnded(PooledServer given) {
        responses.ended(given);
        goOn();
    }

    /** The proxy's own request on behalf of this client was answered. */
    @Override
    public void answered(boolean failed) {
        switch (machine.questionAnswered()) {
            case LOGIN -> requests.entry().reset(failed);
            case REQUEST -> requests.prepared(failed);
            case CANCELLED_REQUEST -> requests.preparedAfterCancel(failed);
            case TRANSACTION -> responses.probed(failed);
        }
        goOn();
    }

    void serverLost() {
        responses.serverLost();
        goOn();
    }

    // The end of every event.

    /** Continues if the client is idle: with held packets first, then by reading. */
    private void goOn() {
        if (!machine.isResting()) {
            return;
        }
        boolean flushes = answers.gather();
        try {
            parting.ifDue();
            while (machine.isResting()
                    && isWritable()
                    && !requests.packets().held().isEmpty()) {
                begin();
                parting.ifDue();
            }
        } catch (RuntimeException broken) {
            // The stack is that of a server connection, which may be another client's by now.
            exceptionCaught(ctx(), broken);
        }
        if (flushes) {
            answers.flush(ctx());
        }
        if (!machine.isClosed()) {
            requests.packets().reading(true);
        }
    }

    // Views of it.

    /** The client as it is now. */
    public ClientSnapshot snapshot() {
        ServerConnection connection = hold.isEmpty() ? null : hold.server().connection();
        ClientSnapshot.State doing = ClientSnapshots.state(machine.phase(), connection != null);
        long sent = ClientSnapshots.isSent(machine.phase()) ? requests() : requests() - 1;
        return snapshot(
                doing,
                broker.isSessionMode() ? ClientSnapshot.Mode.SESSION : ClientSnapshot.Mode.TRANSACTION,
                connection,
                hold.isOverdue(),
                enteredAt,
                sent > 0 ? machine.since() : -1);
    }

    // Time.

    /** See {@link Parting#leave}. */
    public void leave(String why) {
        parting.leave(why);
    }

    /** See {@link Parting#depart}. */
    public boolean depart(String why, DrainPace pace, long now) {
        return parting.depart(why, pace, now);
    }

    /** Closes the client or cancels its request if a timeout has expired. */
    public void check(ClientLimits limits, long now) {
        if (limits.isSessionOver(now - enteredAt)) {
            leave("session_timeout");
        }
        deadlines.check(limits, now);
    }

    // Closing.

    /** Closes the client now, whatever it does, with an error if possible. */
    public void kill(String why) {
        responses.kill(why);
    }

    /** A client that has only ended its side looks like one that has disconnected: a running request is cancelled. */
    @Override
    protected void saidAll() {
        if (machine.isResting()) {
            hangUpWhenTold();
        } else {
            hangUp();
        }
    }

    @Override
    protected String bucket() {
        return pool.bucket().id();
    }

    @Override
    protected boolean isClosed() {
        return machine.isClosed();
    }

    @Override
    protected void end() {
        ClientMachine.OnEnd verdict = machine.end();
        requests.packets().release();
        requests.prepared().drop();
        switch (verdict) {
            case NOTHING_TO_GIVE_BACK -> {}
            case LEAVE_QUEUE -> {
                broker.cancel(this);
                hold.discard();
            }
            case RELEASE_DIRTY -> hold.releaseDirty();
            case ABANDON -> hold.abandon();
            case DISCARD -> hold.discard();
        }
        state.forgetHandles();
    }

    @Override
    protected void left() {
        broker.left(this);
    }
}
