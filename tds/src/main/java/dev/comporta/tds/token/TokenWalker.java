package dev.comporta.tds.token;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import io.netty.buffer.ByteBuf;

/**
 * Walks a server's responses in place, packet by packet, wherever packets cut them, and tells a {@link TokenSink} what
 * they mean. It copies nothing but the few bytes of a small token that a packet's end has cut, and allocates nothing per
 * token or row. What it learns from a login's answer (version, features) it applies to what follows.
 *
 * <p>What it can't walk it says with a {@link ProtocolException}; after that its place is lost, and it must not be used
 * again. Confined to one thread. Borrows the packets.
 */
public final class TokenWalker {
    /** Where the end of a packet has stopped the walk. */
    private enum State {
        TOKEN,
        DONE_HEAD,
        DONE_COUNT,
        RETURNSTATUS,
        SHORT_LENGTH,
        LONG_LENGTH,
        ENVCHANGE_LENGTH,
        ENVCHANGE_TYPE,
        ENVCHANGE,
        PROMOTION_LENGTH,
        PROMOTION_END,
        MESSAGE_HEAD,
        MESSAGE_TEXT,
        LOGINACK,
        FEATUREEXTACK,
        COLMETADATA,
        ALTMETADATA,
        ALTROW,
        ROW,
        RETURNVALUE,
        DATACLASSIFICATION,
        LOST
    }

    /** Number, state and class. */
    private static final int MESSAGE_HEAD_BYTES = 6;

    private final TokenSink sink;
    private final Cursor cursor = new Cursor();
    private final Columns columns = new Columns();
    private final MetadataWalker metadata = new MetadataWalker(cursor, columns);
    private final AltMetadataWalker altMetadata = new AltMetadataWalker(cursor);
    private final RowWalker row = new RowWalker(cursor);
    private final ReturnValueWalker returnValue;
    private final ClassificationWalker classification = new ClassificationWalker(cursor);
    private final EnvChangeReader envChange;
    private final LoginAnswerWalker loginAnswer;

    private WireFormat format;
    private State state = State.TOKEN;
    /** The token that is being walked, or was last. 0 at the start of a response. */
    private int token;
    /** Where it began. */
    private long tokenPosition;
    /** Its length, or that of its part at hand. */
    private int length;
    /** The type of ENVCHANGE. */
    private int type;

    private int doneHead;
    /** Whether the sink wants the text of the message at hand. */
    private boolean textWanted;
    /**
     * Whether the server has said which version it speaks. Until then its messages tell it by their own form, and so does a
     * login that is rejected without LOGINACK.
     */
    private boolean versionSettled;
    /** The status of the last DONE, DONEPROC or DONEINPROC; with MORE before the first. */
    private int doneStatus = DoneStatus.MORE;

    /**
     * For the answer to a login.
     *
     * @param version the newest that the client asked for: the answer says which it gets, and has that one's form from its
     *     first token on
     */
    public TokenWalker(TdsVersion version, TokenSink sink) {
        this(new WireFormat(version), false, sink);
    }

    /** For what follows a login that settled the format. */
    public TokenWalker(WireFormat format, TokenSink sink) {
        this(format, true, sink);
    }

    private TokenWalker(WireFormat format, boolean versionSettled, TokenSink sink) {
        this.format = format;
        this.versionSettled = versionSettled;
        this.sink = sink;
        returnValue = new ReturnValueWalker(cursor, sink);
        envChange = new EnvChangeReader(sink);
        loginAnswer = new LoginAnswerWalker(cursor, sink);
    }

    /** As settled so far. */
    public WireFormat format() {
        return format;
    }

    /**
     * Walks the payload of the next packet: the bytes of {@code packet} from {@code from} to {@code to}, its header not
     * included.
     *
     * @param endOfMessage whether the packet's header says that it is the last
     * @throws ProtocolException naming the token and its offset in the response
     */
    public void walk(ByteBuf packet, int from, int to, boolean endOfMessage) {
        cursor.beginPacket(from, to);
        try {
            boolean more = true;
            while (more) {
                more = step(packet);
            }
            if (endOfMessage) {
                endOfMessage();
            }
        } catch (ProtocolException e) {
            state = State.LOST;
            throw new ProtocolException("%s at byte %d of the response, read up to byte %d: %s"
                    .formatted(TokenType.name(token), tokenPosition, cursor.position(), e.getMessage()));
        } finally {
            cursor.endPacket();
        }
        if (endOfMessage) {
            beginResponse();
        }
    }

    /**
     * Whether the last packet ended just before or within RETURNSTATUS' number, or one of RETURNVALUE: its ordinal, or its value
     * if that is an integer. Who wants to put another in its place holds that packet until the next has come.
     */
    public boolean endsWithinReturnedNumber() {
        return state == State.RETURNSTATUS || (state == State.RETURNVALUE && returnValue.isAtNumber());
    }

    private void beginResponse() {
        cursor.beginResponse();
        columns.forget();
        altMetadata.forget();
        returnValue.beginCall();
        token = 0;
        tokenPosition = 0;
        doneStatus = DoneStatus.MORE;
    }

    private void endOfMessage() {
        if (state != State.TOKEN || !cursor.isBetweenFields()) {
            throw new ProtocolException("the message ends in the middle of it");
        }
        if ((doneStatus & DoneStatus.MORE) == 0) {
            sink.endOfResponse();
        } else if (token == TokenType.SSPI || token == TokenType.FEDAUTHINFO) {
            sink.negotiationContinues();
        } else {
            throw new ProtocolException("the message ends after it, and the response does not");
        }
    }

    /** @return false when the packet is used up */
    private boolean step(ByteBuf packet) {
        return switch (state) {
            case TOKEN -> token(packet);
            case DONE_HEAD -> doneHead(packet);
            case DONE_COUNT -> doneCount(packet);
            case RETURNSTATUS -> returnStatus(packet);
            case SHORT_LENGTH -> skipByLength(packet, 2);
            case LONG_LENGTH -> skipByLength(packet, 4);
            case ENVCHANGE_LENGTH -> envChangeLength(packet);
            case ENVCHANGE_TYPE -> envChangeType(packet);
            case ENVCHANGE -> envChange(packet);
            case PROMOTION_LENGTH -> promotionLength(packet);
            case PROMOTION_END -> skipByLength(packet, 1);
            case MESSAGE_HEAD -> messageHead(packet);
            case MESSAGE_TEXT -> messageText(packet);
            case LOGINACK -> loginAnswer.walkLoginAck(packet) ? versionSettled() : stopIn(State.LOGINACK);
            case FEATUREEXTACK -> loginAnswer.walkFeatures(packet) ? settled() : stopIn(State.FEATUREEXTACK);
            case COLMETADATA -> metadata.walk(packet, format) ? next() : stopIn(State.COLMETADATA);
            case ALTMETADATA -> altMetadata.walk(packet, format) ? next() : stopIn(State.ALTMETADATA);
            case ALTROW -> altRow(packet);
            case ROW -> row(packet);
            case RETURNVALUE -> returnValue.walk(packet, format) ? next() : stopIn(State.RETURNVALUE);
            case DATACLASSIFICATION -> classification.walk(packet, format) ? next() : stopIn(State.DATACLASSIFICATION);
            case LOST -> throw new ProtocolException("the place in the response was lost before");
        };
    }

    /**
     * The next token begins. A token that is whole in its packet is walked without the state ever being written: a
     * reference written to an object as old as a connection costs the garbage collector's barrier.
     */
    private boolean next() {
        if (state != State.TOKEN) {
            state = State.TOKEN;
        }
        return true;
    }

    /** Goes on there with the next packet. */
    private boolean stopIn(State unfinished) {
        state = unfinished;
        return false;
    }

    private boolean token(ByteBuf packet) {
        if (!cursor.take(packet, 1)) {
            return false;
        }
        token = (int) cursor.field;
        tokenPosition = cursor.position() - 1;
        return switch (token) {
            case TokenType.ROW -> {
                requireMetadata();
                row.beginRow(columns);
                yield row(packet);
            }
            case TokenType.NBCROW -> {
                requireMetadata();
                row.beginNullBitmapRow(columns);
                yield row(packet);
            }
            case TokenType.DONE, TokenType.DONEPROC, TokenType.DONEINPROC -> doneHead(packet);
            case TokenType.COLMETADATA -> {
                sink.resultSet();
                metadata.begin();
                yield metadata.walk(packet, format) ? next() : stopIn(State.COLMETADATA);
            }
            case TokenType.RETURNSTATUS -> returnStatus(packet);
            case TokenType.ENVCHANGE -> envChangeLength(packet);
            case TokenType.ERROR, TokenType.INFO -> messageHead(packet);
            default -> {
                state = rareToken();
                yield true;
            }
        };
    }

    private boolean row(ByteBuf packet) {
        return row.walk(packet) ? next() : stopIn(State.ROW);
    }

    private State rareToken() {
        return switch (token) {
            case TokenType.ORDER, TokenType.TABNAME, TokenType.COLINFO, TokenType.SSPI -> State.SHORT_LENGTH;
            case TokenType.SESSIONSTATE, TokenType.FEDAUTHINFO -> State.LONG_LENGTH;
            case TokenType.LOGINACK -> {
                loginAnswer.begin(format);
                yield State.LOGINACK;
            }
            case TokenType.FEATUREEXTACK -> {
                loginAnswer.begin(format);
                yield State.FEATUREEXTACK;
            }
            case TokenType.ALTMETADATA -> {
                altMetadata.begin();
                yield State.ALTMETADATA;
            }
            case TokenType.ALTROW -> State.ALTROW;
            case TokenType.RETURNVALUE -> {
                returnValue.begin();
                yield State.RETURNVALUE;
            }
            case TokenType.OFFSET -> {
                if (format.version().isAtLeast(TdsVersion.V7_2)) {
                    throw new ProtocolException("it does not exist in TDS " + format.version());
                }
                cursor.skip(2 * Short.BYTES);
                yield State.TOKEN;
            }
            case TokenType.DATACLASSIFICATION -> {
                classification.begin(format);
                yield State.DATACLASSIFICATION;
            }
            default -> throw new ProtocolException("no such token in a response");
        };
    }

    private void requireMetadata() {
        if (!columns.isKnown()) {
            throw new ProtocolException("its columns were not described");
        }
    }

    private boolean altRow(ByteBuf packet) {
        if (!cursor.take(packet, 2)) {
            return stopIn(State.ALTROW);
        }
        row.beginAltRow(altMetadata.clause((int) cursor.field));
        return row(packet);
    }

    private boolean doneHead(ByteBuf packet) {
        if (!cursor.take(packet, 4)) {
            return stopIn(State.DONE_HEAD);
        }
        doneHead = (int) cursor.field;
        return doneCount(packet);
    }

    private boolean doneCount(ByteBuf packet) {
        if (!cursor.take(packet, format.version().hasLongRowCounts() ? 8 : 4)) {
            return stopIn(State.DONE_COUNT);
        }
        doneStatus = doneHead & 0xFFFF;
        sink.done(token, doneStatus, doneHead >>> 16, cursor.field);
        if (token == TokenType.DONEPROC) {
            returnValue.beginCall();
        }
        if ((doneStatus & DoneStatus.ATTN) != 0) {
            sink.attentionAcknowledged();
        }
        return next();
    }

    private boolean returnStatus(ByteBuf packet) {
        if (!cursor.take(packet, 4)) {
            return stopIn(State.RETURNSTATUS);
        }
        sink.returnStatus((int) cursor.field, cursor.position() - Integer.BYTES);
        return next();
    }

    /** In a state that says how many bytes the length has. */
    private boolean skipByLength(ByteBuf packet, int lengthBytes) {
        if (!cursor.take(packet, lengthBytes)) {
            return false;
        }
        cursor.skip(cursor.field);
        return next();
    }

    private boolean envChangeLength(ByteBuf packet) {
        if (!cursor.take(packet, 2)) {
            return stopIn(State.ENVCHANGE_LENGTH);
        }
        length = (int) cursor.field;
        if (length == 0) {
            throw new ProtocolException("it is empty");
        }
        return envChangeType(packet);
    }

    private boolean envChangeType(ByteBuf packet) {
        if (!cursor.take(packet, 1)) {
            return stopIn(State.ENVCHANGE_TYPE);
        }
        type = (int) cursor.field;
        // The length of a promotion is another: its token may be longer than two bytes can say.
        return type == EnvChange.PROMOTE_TRANSACTION ? promotionLength(packet) : envChange(packet);
    }

    private boolean envChange(ByteBuf packet) {
        if (!cursor.gather(packet, length - 1)) {
            return stopIn(State.ENVCHANGE);
        }
        envChange.read(type, cursor.gathered(packet), cursor.gatheredFrom(), length - 1);
        return next();
    }

    private boolean promotionLength(ByteBuf packet) {
        if (!cursor.take(packet, 4)) {
            return stopIn(State.PROMOTION_LENGTH);
        }
        cursor.skip(cursor.field);
        sink.transactionPromoted();
        state = State.PROMOTION_END;
        return true;
    }

    /** The length and what is first inside it, in one field. */
    private boolean messageHead(ByteBuf packet) {
        if (!cursor.take(packet, Short.BYTES + MESSAGE_HEAD_BYTES)) {
            return stopIn(State.MESSAGE_HEAD);
        }
        long head = cursor.field;
        length = ((int) head & 0xFFFF) - MESSAGE_HEAD_BYTES;
        if (length < 0) {
            throw new ProtocolException("it is too short");
        }
        int number = (int) (head >>> 16);
        int messageState = (int) (head >>> 48) & 0xFF;
        int severity = (int) (head >>> 56);
        textWanted = token == TokenType.ERROR
                ? sink.error(number, messageState, severity)
                : sink.info(number, messageState, severity);
        if (textWanted || !versionSettled) {
            return messageText(packet);
        }
        cursor.skip(length);
        return next();
    }

    private boolean messageText(ByteBuf packet) {
        if (!cursor.gather(packet, length)) {
            return stopIn(State.MESSAGE_TEXT);
        }
        ByteBuf text = cursor.gathered(packet).slice(cursor.gatheredFrom(), length);
        try {
            String message = Ucs2.readShortLength(text);
            String server = Ucs2.readByteLength(text);
            String procedure = Ucs2.readByteLength(text);
            if (!versionSettled) {
                guessVersion(text.readableBytes());
            }
            int line = format.version().hasLongLineNumbers() ? text.readIntLE() : text.readUnsignedShortLE();
            if (textWanted) {
                sink.messageText(message, server, procedure, line);
            }
        } catch (IndexOutOfBoundsException _) {
            throw new ProtocolException("its text is longer than it");
        }
        return next();
    }

    /** A message of a server that has not said its version: how long its line number is tells where DONE will end. */
    private void guessVersion(int lineBytes) {
        boolean longLine = lineBytes >= Integer.BYTES;
        if (longLine != format.version().hasLongLineNumbers()) {
            format = format.with(longLine ? TdsVersion.V7_2 : TdsVersion.V7_1);
        }
    }

    private boolean versionSettled() {
        versionSettled = true;
        return settled();
    }

    private boolean settled() {
        format = loginAnswer.format();
        return next();
    }
}
