package dev.comporta.tds.token.walk;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.TokenSink;
import dev.comporta.tds.token.TokenType;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.ByteBuf;
import java.util.Objects;

/**
 * Walks a server's responses in place, packet by packet, wherever packets cut them, and reports their tokens to a
 * {@link TokenSink}. It copies only the few bytes of a small token that a packet's end has cut, and allocates nothing per
 * token or row. The version and features in the response to a login apply to all tokens after them.
 *
 * <p>If it can't walk a response it throws a {@link ProtocolException}; after that it is out of step and must not be used
 * again. Confined to one thread. Borrows the packets.
 */
public final class TokenWalker {
    /** Where the end of a packet interrupted the walk. */
    private enum State {
        TOKEN,
        DONE_HEAD,
        DONE_COUNT,
        RETURNSTATUS,
        SHORT_LENGTH,
        LONG_LENGTH,
        ENVCHANGE,
        MESSAGE,
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

    private final TokenSink sink;
    private final Cursor cursor = new Cursor();
    private final Columns columns = new Columns();
    private final MetadataWalker metadata = new MetadataWalker(cursor, columns);
    private final AltMetadataWalker altMetadata = new AltMetadataWalker(cursor);
    private final RowWalker row = new RowWalker(cursor);
    private final ReturnValueWalker returnValue;
    private final ClassificationWalker classification = new ClassificationWalker(cursor);
    private final EnvChangeWalker envChange;
    private final MessageWalker message;
    private final LoginResponseWalker loginResponse;

    private WireFormat format;
    private State state = State.TOKEN;
    /** The current or last token. 0 at the start of a response. */
    private int token;
    /** The position in the response where the token began. */
    private long tokenPosition;

    private int doneHead;
    /**
     * Whether the server has announced its version. Until then, and in a login that is rejected without LOGINACK, the version
     * is inferred from the form of its messages.
     */
    private boolean versionSettled;
    /** The status of the last DONE, DONEPROC or DONEINPROC; with MORE before the first. */
    private int doneStatus = DoneStatus.MORE;

    /**
     * Walks the response to a login.
     *
     * @param version the newest that the client asked for; the response announces the negotiated one, and has that one's
     *     format from its first token on
     */
    public TokenWalker(TdsVersion version, TokenSink sink) {
        this(new WireFormat(version), false, sink);
    }

    /** Walks the responses after a login that negotiated this format. */
    public TokenWalker(WireFormat format, TokenSink sink) {
        this(format, true, sink);
    }

    private TokenWalker(WireFormat format, boolean versionSettled, TokenSink sink) {
        this.format = format;
        this.versionSettled = versionSettled;
        this.sink = sink;
        returnValue = new ReturnValueWalker(cursor, sink);
        envChange = new EnvChangeWalker(cursor, sink);
        message = new MessageWalker(cursor, sink);
        loginResponse = new LoginResponseWalker(cursor, sink);
    }

    /** The format negotiated so far. */
    public WireFormat format() {
        return format;
    }

    /**
     * Walks the payload of the next packet: the bytes of {@code packet} from {@code from} to {@code to}, its header not
     * included.
     *
     * @param endOfMessage whether the packet is the last of its message
     * @throws ProtocolException naming the token and its offset in the response
     */
    public void walk(ByteBuf packet, int from, int to, boolean endOfMessage) {
        Objects.checkFromToIndex(from, to, packet.writerIndex()); // rows are read without further checks
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
     * Whether the last packet ended just before or within the number of RETURNSTATUS, or a number of RETURNVALUE: its
     * ordinal, or its value if that is an integer. A caller that replaces such numbers must hold that packet until the
     * next one has come.
     */
    public boolean endsWithinReturnedNumber() {
        return state == State.RETURNSTATUS || (state == State.RETURNVALUE && returnValue.isAtNumber());
    }

    /** The bytes received of a token whose rest is in packets to come; 0 between two tokens. */
    public long unfinishedBytes() {
        boolean whole = state == State.TOKEN && cursor.isBetweenFields();
        return whole ? 0 : cursor.position() - (token == TokenType.ROW ? row.began(tokenPosition) : tokenPosition);
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
            throw new ProtocolException("the message ends within the token");
        }
        if ((doneStatus & DoneStatus.MORE) == 0) {
            sink.endOfResponse();
        } else if (token == TokenType.SSPI || token == TokenType.FEDAUTHINFO) {
            sink.negotiationContinues();
        } else {
            throw new ProtocolException("the message ends after the token, without a final DONE");
        }
    }

    /** @return false if the packet is used up */
    private boolean step(ByteBuf packet) {
        return switch (state) {
            case TOKEN -> token(packet);
            case DONE_HEAD -> doneHead(packet);
            case DONE_COUNT -> doneCount(packet);
            case RETURNSTATUS -> returnStatus(packet);
            case SHORT_LENGTH -> skipByLength(packet, 2);
            case LONG_LENGTH -> skipByLength(packet, 4);
            case ENVCHANGE -> envChange(packet);
            case MESSAGE -> message(packet);
            case LOGINACK -> loginResponse.walkLoginAck(packet) ? versionSettled() : stopIn(State.LOGINACK);
            case FEATUREEXTACK -> loginResponse.walkFeatures(packet) ? settled() : stopIn(State.FEATUREEXTACK);
            case COLMETADATA -> metadata.walk(packet, format) ? next() : stopIn(State.COLMETADATA);
            case ALTMETADATA -> altMetadata.walk(packet, format) ? next() : stopIn(State.ALTMETADATA);
            case ALTROW -> altRow(packet);
            case ROW -> row(packet);
            case RETURNVALUE -> returnValue.walk(packet, format) ? next() : stopIn(State.RETURNVALUE);
            case DATACLASSIFICATION -> classification.walk(packet, format) ? next() : stopIn(State.DATACLASSIFICATION);
            case LOST -> throw new ProtocolException("the position in the response is unknown since an earlier error");
        };
    }

    /**
     * The next token begins. A token that is whole in its packet is walked without a write to the state: a reference written
     * to an object as old as a connection costs a GC barrier.
     */
    private boolean next() {
        if (state != State.TOKEN) {
            state = State.TOKEN;
        }
        return true;
    }

    /** Continues in this state with the next packet. */
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
            case TokenType.ENVCHANGE -> envChange(packet);
            case TokenType.ERROR, TokenType.INFO -> message(packet);
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
                loginResponse.begin(format);
                yield State.LOGINACK;
            }
            case TokenType.FEATUREEXTACK -> {
                loginResponse.begin(format);
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

    /** For states that give the number of bytes of the length. */
    private boolean skipByLength(ByteBuf packet, int lengthBytes) {
        if (!cursor.take(packet, lengthBytes)) {
            return false;
        }
        cursor.skip(cursor.field);
        return next();
    }

    private boolean envChange(ByteBuf packet) {
        return envChange.walk(packet) ? next() : stopIn(State.ENVCHANGE);
    }

    private boolean message(ByteBuf packet) {
        if (!message.walk(packet, token, format, versionSettled)) {
            return stopIn(State.MESSAGE);
        }
        if (!versionSettled) {
            format = message.guess(format);
        }
        return next();
    }

    private boolean versionSettled() {
        versionSettled = true;
        return settled();
    }

    private boolean settled() {
        format = loginResponse.format();
        return next();
    }
}
