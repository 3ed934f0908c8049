package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.relay.ClientStage.Given;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every situation of a client with every event: the next phase, what each side is told, what becomes of the server
 * connection. What is expected is in {@code client-machine.txt}, a paragraph for each situation, a line for each outcome and
 * the events that have it. What was found is written to {@code target/client-machine.txt}, in the same form.
 */
class ClientMachineTest {
    private static final String TABLE = "client-machine.txt";
    private static final int WIDTH = 125;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration NONE = Duration.ZERO;

    private static final String DONE = "fd 0000 0000 0000000000000000";
    private static final String DONE_ERROR = "fd 0200 0000 0000000000000000";
    private static final String DONE_ATTENTION = "fd 2000 0000 0000000000000000";
    private static final String RESET_ACKNOWLEDGED = "e3 0300 12 00 00";
    private static final String BEGAN = "e3 0b00 08 08 0500000000000000 00";
    private static final String COMMITTED = "e3 0b00 09 00 08 0500000000000000";
    private static final String ERROR = "aa 1200 39300000 01 10 0200 6e006f00 00 00 01000000";
    private static final String COLUMN = "81 0100 00000000 0900 26 04 00";

    /** A phase, and what matters beside it. */
    private enum Situation {
        ENTERING(ClientPhase.ENTERING_QUEUED, true, _ -> {}),
        ENTERING_ON_A_USED_CONNECTION(ClientPhase.ENTERING_RESET, true, stage -> stage.attach(Given.USED)),
        ENTERING_ASKING(ClientPhase.ENTERING_ASKING, true, stage -> stage.attach(Given.CLOSING)),
        RESTING(ClientPhase.RESTING, _ -> {}),
        RESTING_IN_TRANSACTION(ClientPhase.RESTING, ClientMachineTest::begun),
        GATHERING(ClientPhase.GATHERING, stage -> stage.clientSends(part())),
        ASKING(ClientPhase.ASKING, stage -> stage.clientSends(whole())),
        QUEUED(ClientPhase.QUEUED, stage -> stage.clientSends(whole())),
        QUEUED_WITH_A_PART(ClientPhase.QUEUED, stage -> stage.clientSends(large())),
        QUEUED_WITH_ANOTHER_BEHIND(ClientPhase.QUEUED, stage -> stage.clientSends(whole(), whole())),
        GIVEN(ClientPhase.GIVEN, ClientMachineTest::responding),
        PREPARING(ClientPhase.PREPARING, ClientMachineTest::preparing),
        PREPARING_A_PART(ClientPhase.PREPARING, stage -> {
            stage.clientSends(large());
            stage.attach(Given.USED);
        }),
        PREPARING_A_PART_WITH_NONSENSE_BEHIND(ClientPhase.PREPARING, stage -> {
            stage.clientSends(large());
            stage.attach(Given.USED);
            stage.clientSends(packet(PacketType.RPC, PacketHeader.STATUS_EOM, 8));
        }),
        PREPARING_FOR_THE_LAST_TIME(ClientPhase.PREPARING, stage -> {
            preparing(stage);
            for (int i = 0; i < 3; i++) {
                stage.serverIsGone();
                stage.attach(Given.USED);
            }
        }),
        PREPARING_CANCELLED(ClientPhase.PREPARING_CANCELLED, stage -> {
            preparing(stage);
            stage.clientSends(attention());
        }),
        PREPARING_CANCELLED_WITH_ANOTHER_BEHIND(ClientPhase.PREPARING_CANCELLED, stage -> {
            preparing(stage);
            stage.clientSends(attention(), whole());
        }),
        SENDING(ClientPhase.SENDING, ClientMachineTest::sending),
        SENDING_IN_TRANSACTION(ClientPhase.SENDING, stage -> {
            begun(stage);
            stage.clientSends(part());
        }),
        SENDING_TO_A_SERVER_THAT_TAKES_NOTHING(ClientPhase.SENDING, stage -> {
            sending(stage);
            stage.serverTakesNothing();
        }),
        RESPONDING(ClientPhase.RESPONDING, ClientMachineTest::responding),
        RESPONDING_IN_PART(ClientPhase.RESPONDING, stage -> {
            responding(stage);
            stage.serverSends(false, ClientStage.tokens(COLUMN));
        }),
        RESPONDING_IN_TRANSACTION(ClientPhase.RESPONDING, stage -> {
            begun(stage);
            stage.clientSends(whole());
        }),
        RESPONDING_WITH_ANOTHER_BEHIND(ClientPhase.RESPONDING, stage -> {
            responding(stage);
            stage.clientSends(whole());
        }),
        RESPONDING_TO_ONE_THAT_IS_TO_LEAVE(ClientPhase.RESPONDING, stage -> {
            responding(stage);
            stage.leave();
        }),
        CANCELLING(ClientPhase.CANCELLING, stage -> {
            responding(stage);
            stage.clientSends(attention());
        }),
        CANCELLING_IN_TRANSACTION(ClientPhase.CANCELLING, stage -> {
            begun(stage);
            stage.clientSends(whole(), attention());
        }),
        TIMED_OUT(ClientPhase.TIMED_OUT, stage -> {
            responding(stage);
            stage.check(limits(NONE, NONE, SECOND, NONE, NONE));
        }),
        TIMED_OUT_IN_TRANSACTION(ClientPhase.TIMED_OUT, stage -> {
            begun(stage);
            stage.clientSends(whole());
            stage.check(limits(NONE, NONE, SECOND, NONE, NONE));
        }),
        PROBING(ClientPhase.PROBING, stage -> {
            responding(stage);
            stage.serverMustBeAsked();
            stage.serverSends(true, ClientStage.tokens(DONE));
        }),
        REFUSED(ClientPhase.REFUSED, stage -> {
            stage.clientSends(large());
            stage.refuse();
        }),
        ANSWERED_EARLY(ClientPhase.ANSWERED_EARLY, stage -> {
            sending(stage);
            stage.serverSends(true, ClientStage.tokens(ERROR + DONE_ERROR));
        }),
        ANSWERED_EARLY_AND_TO_LEAVE(ClientPhase.ANSWERED_EARLY, stage -> {
            begun(stage);
            stage.clientSends(part());
            stage.serverSends(true, ClientStage.tokens(ERROR + DONE_ERROR));
        }),
        CLOSED(ClientPhase.CLOSED, stage -> stage.cutOff());

        private final ClientPhase phase;
        private final boolean sessionMode;
        private final Consumer<ClientStage> way;

        Situation(ClientPhase phase, Consumer<ClientStage> way) {
            this(phase, false, way);
        }

        Situation(ClientPhase phase, boolean sessionMode, Consumer<ClientStage> way) {
            this.phase = phase;
            this.sessionMode = sessionMode;
            this.way = way;
        }

        /** Raises an event in this situation, which may last only while somebody is called. */
        private ClientStage play(Consumer<ClientStage> event) {
            ClientStage stage = new ClientStage(sessionMode);
            Runnable now = () -> {
                ClientPhase reached = stage.phase();
                assertThat(reached).as("%s: %s", this, stage.outcome()).isEqualTo(phase);
                event.accept(stage);
            };
            if (phase == ClientPhase.ENTERING_ASKING || phase == ClientPhase.ASKING) {
                stage.whileAsking(now);
                way.accept(stage);
            } else if (phase == ClientPhase.GIVEN) {
                stage.whileGiven(now);
                way.accept(stage);
            } else {
                way.accept(stage);
                now.run();
            }
            return stage;
        }
    }

    /** Who it is that something comes from. */
    private enum From {
        CLIENT,
        BUCKET,
        SERVER
    }

    private enum Event {
        WHOLE_REQUEST(From.CLIENT, stage -> stage.clientSends(whole())),
        PART_OF_A_REQUEST(From.CLIENT, stage -> stage.clientSends(part())),
        LARGE_PART_OF_A_REQUEST(From.CLIENT, stage -> stage.clientSends(large())),
        LAST_PACKET_THAT_GIVES_UP(From.CLIENT, stage -> stage.clientSends(givenUp())),
        REQUEST_OF_ANOTHER_KIND(From.CLIENT, stage -> stage.clientSends(packet(PacketType.RPC, 1, 8))),
        NO_REQUEST(From.CLIENT, stage -> stage.clientSends(packet(PacketType.LOGIN7, 1, 8))),
        ATTENTION(From.CLIENT, stage -> stage.clientSends(attention())),
        WHOLE_REQUEST_AND_ATTENTION(From.CLIENT, stage -> stage.clientSends(whole(), attention())),
        WHOLE_REQUEST_ATTACHED_AT_ONCE(From.CLIENT, stage -> {
            stage.attachAtOnce(Given.FITTING);
            stage.clientSends(whole());
        }),
        WHOLE_REQUEST_REFUSED_AT_ONCE(From.CLIENT, stage -> {
            stage.refuseAtOnce();
            stage.clientSends(whole());
        }),
        LARGE_PART_REFUSED_AT_ONCE(From.CLIENT, stage -> {
            stage.refuseAtOnce();
            stage.clientSends(large());
        }),

        ATTACHED(From.BUCKET, stage -> stage.attach(Given.FITTING)),
        ATTACHED_TO_A_USED_CONNECTION(From.BUCKET, stage -> stage.attach(Given.USED)),
        ATTACHED_TO_A_CLOSING_CONNECTION(From.BUCKET, stage -> stage.attach(Given.CLOSING)),
        ATTACHED_WITH_NONSENSE(From.BUCKET, stage -> stage.attach(Given.BREAKING)),
        REFUSED(From.BUCKET, ClientStage::refuse),
        LOST_BEFORE_IT_WAS_GIVEN(From.BUCKET, ClientStage::loseBeforeGiven),

        OWN_QUESTION_ANSWERED(
                From.SERVER,
                stage -> stage.serverSends(
                        true, ClientStage.tokens(RESET_ACKNOWLEDGED + COLUMN + "d1 04 00000000" + DONE))),
        OWN_QUESTION_ANSWERED_TOO_LATE(From.SERVER, stage -> {
            stage.leaseEnds();
            stage.serverSends(true, ClientStage.tokens(RESET_ACKNOWLEDGED + COLUMN + "d1 04 00000000" + DONE));
        }),
        OWN_QUESTION_ANSWERED_AND_ATTACHED_AGAIN(From.SERVER, stage -> {
            stage.leaseEnds();
            stage.attachAtOnce(Given.FITTING);
            stage.serverSends(true, ClientStage.tokens(RESET_ACKNOWLEDGED + COLUMN + "d1 04 00000000" + DONE));
        }),
        OWN_QUESTION_ANSWERED_BY_ONE(
                From.SERVER,
                stage -> stage.serverSends(
                        true, ClientStage.tokens(RESET_ACKNOWLEDGED + COLUMN + "d1 04 01000000" + DONE))),
        OWN_QUESTION_FAILED(
                From.SERVER,
                stage -> stage.serverSends(true, ClientStage.tokens(RESET_ACKNOWLEDGED + ERROR + DONE_ERROR))),
        OWN_QUESTION_UNHEARD(From.SERVER, stage -> stage.serverSends(true, ClientStage.tokens(DONE))),

        PART_OF_A_RESPONSE(From.SERVER, stage -> stage.serverSends(false, ClientStage.tokens(COLUMN))),
        RESPONSE_ENDED(From.SERVER, stage -> stage.serverSends(true, ClientStage.tokens(DONE))),
        RESPONSE_ENDED_IN_TRANSACTION(From.SERVER, stage -> stage.serverSends(true, ClientStage.tokens(BEGAN + DONE))),
        RESPONSE_ENDED_THE_TRANSACTION(
                From.SERVER, stage -> stage.serverSends(true, ClientStage.tokens(COMMITTED + DONE))),
        RESPONSE_ENDED_IN_DOUBT(From.SERVER, stage -> {
            stage.serverMustBeAsked();
            stage.serverSends(true, ClientStage.tokens(DONE));
        }),
        RESPONSE_ENDED_AND_A_REQUEST_REFUSED_AT_ONCE(From.SERVER, stage -> {
            stage.refuseAtOnce();
            stage.serverSends(true, ClientStage.tokens(DONE));
        }),
        CANCEL_ACKNOWLEDGED(From.SERVER, stage -> stage.serverSends(true, ClientStage.tokens(DONE_ATTENTION))),
        CANCEL_ACKNOWLEDGED_IN_DOUBT(From.SERVER, stage -> {
            stage.serverMustBeAsked();
            stage.serverSends(true, ClientStage.tokens(DONE_ATTENTION));
        }),
        NOT_UNDERSTOOD_AND_ENDED(From.SERVER, stage -> stage.serverSends(true, ClientStage.tokens("00" + DONE))),
        SERVER_LOST(From.SERVER, ClientStage::serverIsGone),

        STALLED(From.BUCKET, stage -> stage.check(limits(NONE, NONE, NONE, NONE, SECOND))),
        QUERY_TIMEOUT(From.BUCKET, stage -> stage.check(limits(NONE, NONE, SECOND, NONE, NONE))),
        IDLE_TIMEOUT(From.BUCKET, stage -> stage.check(limits(SECOND, NONE, NONE, NONE, NONE))),
        IDLE_IN_TRANSACTION_TIMEOUT(From.BUCKET, stage -> stage.check(limits(NONE, NONE, NONE, SECOND, NONE))),
        SESSION_TIMEOUT(From.BUCKET, stage -> stage.check(limits(NONE, SECOND, NONE, NONE, NONE))),
        LEAVE(From.BUCKET, ClientStage::leave),
        CUT_OFF(From.BUCKET, ClientStage::cutOff),
        KILL(From.BUCKET, ClientStage::kill),
        CLIENT_SAYS_NOTHING_MORE(From.CLIENT, ClientStage::clientSaysNothingMore),
        CLIENT_IS_GONE(From.CLIENT, ClientStage::clientIsGone);

        private final From from;
        private final Consumer<ClientStage> raise;

        Event(From from, Consumer<ClientStage> raise) {
            this.from = from;
            this.raise = raise;
        }

        /** Whether somebody is there who could raise it. Nothing is read from a server while a request is handed to it. */
        private boolean hasSource(ClientStage stage) {
            return switch (from) {
                case CLIENT, BUCKET -> true;
                case SERVER -> stage.hasServer() && stage.phase() != ClientPhase.GIVEN;
            };
        }

        /** Tells the client of it though it has no server connection that could say so. */
        private void raiseWithoutServer(ClientStage stage) {
            switch (this) {
                case OWN_QUESTION_ANSWERED,
                        OWN_QUESTION_ANSWERED_TOO_LATE,
                        OWN_QUESTION_ANSWERED_AND_ATTACHED_AGAIN,
                        OWN_QUESTION_ANSWERED_BY_ONE,
                        OWN_QUESTION_FAILED,
                        OWN_QUESTION_UNHEARD -> stage.ownQuestionAnsweredBeforeAsked();
                case PART_OF_A_RESPONSE -> stage.partOfAResponseWithoutServer();
                case SERVER_LOST -> stage.lossWithoutServer();
                default -> stage.responseEndedWithoutServer();
            }
        }
    }

    private static final Map<Situation, String> FOUND = new EnumMap<>(Situation.class);

    @BeforeAll
    static void playAll() throws IOException {
        StringBuilder found = new StringBuilder();
        for (Situation situation : Situation.values()) {
            String paragraph = paragraph(situation);
            FOUND.put(situation, paragraph);
            found.append(situation).append('\n').append(paragraph).append('\n');
        }
        Files.writeString(Path.of("target", TABLE), found);
    }

    @ParameterizedTest
    @EnumSource(Situation.class)
    void everyEventHasTheOutcomeThatIsWrittenDown(Situation situation) throws IOException {
        assertThat(FOUND.get(situation)).isEqualTo(expected().get(situation.name()));
    }

    @Test
    void everyPhaseIsInTheTable() throws IOException {
        Set<ClientPhase> phases = EnumSet.noneOf(ClientPhase.class);
        for (Situation situation : Situation.values()) {
            phases.add(situation.phase);
        }
        assertThat(phases).containsExactly(ClientPhase.values());
        assertThat(expected().keySet())
                .containsExactly(Stream.of(Situation.values()).map(Enum::name).toArray(String[]::new));
    }

    private static String paragraph(Situation situation) {
        Map<String, List<Event>> outcomes = new LinkedHashMap<>();
        for (Event event : Event.values()) {
            outcomes.computeIfAbsent(outcome(situation, event), _ -> new ArrayList<>())
                    .add(event);
        }
        StringBuilder text = new StringBuilder();
        outcomes.forEach((outcome, events) -> {
            text.append("    ").append(outcome).append('\n');
            int column = 0;
            for (Event event : events) {
                int length = event.name().length() + 1;
                if (column == 0 || column + length > WIDTH) {
                    text.append(column == 0 ? "       " : "\n       ");
                    column = 7;
                }
                text.append(' ').append(event);
                column += length;
            }
            text.append('\n');
        });
        return text.toString();
    }

    private static String outcome(Situation situation, Event event) {
        AtomicBoolean happened = new AtomicBoolean();
        AtomicBoolean raised = new AtomicBoolean();
        ClientStage stage = situation.play(now -> {
            if (event.hasSource(now)) {
                happened.set(true);
                event.raise.accept(now);
            } else {
                event.raiseWithoutServer(now);
                raised.set(now.isImpossible());
            }
        });
        ClientPhase next = stage.phase();
        String told = stage.outcome();
        stage.strike();
        if (!happened.get()) {
            assertThat(raised).as("%s in %s: %s", event, situation, told).isTrue();
            return "impossible: IllegalStateException";
        }
        return "-> " + next + (told.isEmpty() ? "" : ": " + told);
    }

    private static Map<String, String> expected() throws IOException {
        try (var in = Objects.requireNonNull(ClientMachineTest.class.getResourceAsStream(TABLE))) {
            Map<String, String> paragraphs = new LinkedHashMap<>();
            for (String paragraph : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n\n")) {
                int end = paragraph.indexOf('\n');
                paragraphs.put(
                        paragraph.substring(0, end),
                        paragraph.substring(end + 1).stripTrailing() + "\n");
            }
            return paragraphs;
        }
    }

    private static void begun(ClientStage stage) {
        responding(stage);
        stage.serverSends(true, ClientStage.tokens(BEGAN + DONE));
    }

    private static void preparing(ClientStage stage) {
        stage.clientSends(whole());
        stage.attach(Given.USED);
    }

    private static void sending(ClientStage stage) {
        stage.clientSends(large());
        stage.attach(Given.FITTING);
    }

    private static void responding(ClientStage stage) {
        stage.clientSends(whole());
        stage.attach(Given.FITTING);
    }

    private static ByteBuf whole() {
        return Requests.batch("SELECT 1");
    }

    /** As long as a first packet that is not the last: a tiny one is gathered, because it does not show what the request is. */
    private static ByteBuf part() {
        ByteBuf packet = Requests.batch("SELECT 1" + " ".repeat(PacketHeader.MIN_PACKET_SIZE));
        PacketHeader.setStatus(packet, 0);
        return packet;
    }

    /** More than is held of a request. */
    private static ByteBuf large() {
        ByteBuf packet = Requests.batch("SELECT 1" + " ".repeat(32 * 1024));
        PacketHeader.setStatus(packet, 0);
        return packet;
    }

    private static ByteBuf givenUp() {
        ByteBuf packet = whole();
        PacketHeader.setStatus(packet, PacketHeader.STATUS_EOM | PacketHeader.STATUS_IGNORE);
        return packet;
    }

    private static ByteBuf attention() {
        return packet(PacketType.ATTENTION, PacketHeader.STATUS_EOM, 0);
    }

    private static ByteBuf packet(int type, int status, int bytes) {
        return Requests.packet(type, status, Unpooled.buffer(bytes).writeZero(bytes));
    }

    private static ClientLimits limits(
            Duration idle, Duration session, Duration query, Duration idleInTransaction, Duration stalled) {
        return new ClientLimits(idle, session, query, idleInTransaction, stalled, NONE);
    }
}
