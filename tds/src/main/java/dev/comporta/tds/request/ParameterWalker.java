package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;

/** The part of {@link RpcWalker} that walks one parameter: its TYPE_INFO, its value, and how that is encrypted. */
abstract class ParameterWalker extends RequestWalker {
    private enum State {
        TYPE,
        TYPE_LENGTH,
        TYPE_REST,
        TYPE_HAS_SCHEMA,
        TYPE_NAME_LENGTH,
        TYPE_NAME,
        VALUE_LENGTH,
        VALUE,
        INTEGER,
        PLP_TOTAL,
        PLP_CHUNK_LENGTH,
        PLP_CHUNK,
        CIPHER_ALGORITHM,
        CIPHER_NAME_LENGTH,
        CIPHER_REST,
        TABLE_COLUMN_COUNT,
        TABLE_COLUMN,
        TABLE_COLUMN_NAME_LENGTH,
        TABLE_COLUMN_NAME,
        TABLE_METADATA_TOKEN,
        TABLE_ORDER_COUNT,
        TABLE_ORDER,
        TABLE_ROW_TOKEN
    }

    /** The owner of the TYPE_INFO that is being walked. */
    private enum TypeOf {
        PARAMETER,
        CIPHER,
        TABLE_COLUMN
    }

    private static final long PLP_NULL = -1L;
    private static final long SHORT_NULL = 0xFFFFL;
    private static final long LONG_NULL = 0xFFFFFFFFL;

    /** Encryption type, database, key id, key version, metadata version, normalization. */
    private static final int CIPHER_REST_BYTES = 1 + 4 + 4 + 4 + 8 + 1;

    private final boolean hasMaxTypes;
    private final RpcSink sink;
    private final TableColumns columns = new TableColumns();

    private State state = State.TYPE;
    private int ordinal;
    private CharSequence name = "";
    private int status;
    private int type;
    private int kind;
    private TypeOf typeOf = TypeOf.PARAMETER;
    private int typeNamesLeft;
    private boolean wanted;
    private boolean inRow;
    private int orderEntryLength;

    ParameterWalker(RequestFormat format, RpcSink sink) {
        this.sink = sink;
        hasMaxTypes = format.version().isAtLeast(TdsVersion.V7_2);
    }

    final void beginParameter(int ordinal, CharSequence name, int status) {
        this.ordinal = ordinal;
        this.name = name;
        this.status = status;
        inRow = false;
        type(TypeOf.PARAMETER);
    }

    /** The parameter is complete: the subclass says what is expected next. */
    abstract void parameterEnd();

    final boolean isIntegerCut() {
        return state == State.INTEGER && isFieldCut();
    }

    final void onParameterField(long value, ByteBuf packet, int index) {
        switch (state) {
            case TYPE -> typeCode((int) value);
            case TYPE_LENGTH -> typeLength(value);
            case TYPE_HAS_SCHEMA -> {
                if (value == 0) {
                    typeEnd();
                } else {
                    typeNames();
                }
            }
            case TYPE_NAME_LENGTH -> run(State.TYPE_NAME, 2 * value);
            case VALUE_LENGTH -> valueLength(value);
            case INTEGER -> integer(value, packet, index);
            case PLP_TOTAL -> {
                if (value == PLP_NULL) {
                    nullValue();
                } else {
                    field(State.PLP_CHUNK_LENGTH, Integer.BYTES);
                }
            }
            case PLP_CHUNK_LENGTH -> {
                if (value == 0) {
                    valueEnd();
                } else {
                    run(State.PLP_CHUNK, value);
                }
            }
            case CIPHER_ALGORITHM -> {
                if (value == RpcParameter.ParameterCipher.CUSTOM_ALGORITHM) {
                    field(State.CIPHER_NAME_LENGTH, 1);
                } else {
                    run(State.CIPHER_REST, CIPHER_REST_BYTES);
                }
            }
            case CIPHER_NAME_LENGTH -> run(State.CIPHER_REST, 2 * value + CIPHER_REST_BYTES);
            case TABLE_COLUMN_COUNT -> {
                columns.begin((int) value);
                nextColumn();
            }
            case TABLE_COLUMN -> {
                columns.flags((int) (value >>> Integer.SIZE));
                type(TypeOf.TABLE_COLUMN);
            }
            case TABLE_COLUMN_NAME_LENGTH -> run(State.TABLE_COLUMN_NAME, 2 * value);
            case TABLE_METADATA_TOKEN -> metadataToken((int) value);
            case TABLE_ORDER_COUNT -> run(State.TABLE_ORDER, value * orderEntryLength);
            case TABLE_ROW_TOKEN -> rowToken((int) value);
            case TYPE_REST, TYPE_NAME, VALUE, PLP_CHUNK, CIPHER_REST, TABLE_COLUMN_NAME, TABLE_ORDER ->
                throw new IllegalStateException();
        }
    }

    final void onParameterRun(ByteBuf packet, int index, int length) {
        if (wanted && (state == State.VALUE || state == State.PLP_CHUNK)) {
            sink.bytes(packet, index, length);
        }
    }

    final void onParameterRunEnd() {
        switch (state) {
            case TYPE_REST -> typeEnd();
            case TYPE_NAME -> typeNameEnd();
            case VALUE -> valueEnd();
            case PLP_CHUNK -> field(State.PLP_CHUNK_LENGTH, Integer.BYTES);
            case CIPHER_REST -> parameterEnd();
            case TABLE_COLUMN_NAME -> nextColumn();
            case TABLE_ORDER -> field(State.TABLE_METADATA_TOKEN, 1);
            case TYPE, TYPE_LENGTH, TYPE_HAS_SCHEMA, TYPE_NAME_LENGTH, VALUE_LENGTH, INTEGER, PLP_TOTAL ->
                throw new IllegalStateException();
            case PLP_CHUNK_LENGTH, CIPHER_ALGORITHM, CIPHER_NAME_LENGTH, TABLE_COLUMN_COUNT, TABLE_COLUMN ->
                throw new IllegalStateException();
            case TABLE_COLUMN_NAME_LENGTH, TABLE_METADATA_TOKEN, TABLE_ORDER_COUNT, TABLE_ROW_TOKEN ->
                throw new IllegalStateException();
        }
    }

    private void type(TypeOf whose) {
        typeOf = whose;
        field(State.TYPE, 1);
    }

    private void typeCode(int code) {
        type = code;
        kind = TypeLayout.kind(code);
        if (kind == TypeLayout.TABLE && typeOf != TypeOf.PARAMETER) {
            throw new ProtocolException("table within a parameter");
        }
        if (code == TypeLayout.XML) {
            field(State.TYPE_HAS_SCHEMA, 1);
        } else if (code == TypeLayout.UDT || code == TypeLayout.TVP) {
            typeNames();
        } else if (TypeLayout.lengthBytes(code) > 0) {
            field(State.TYPE_LENGTH, TypeLayout.lengthBytes(code));
        } else {
            typeEnd();
        }
    }

    private void typeLength(long length) {
        if (length == TypeLayout.PLP_MAX_LENGTH && hasMaxTypes && TypeLayout.hasMaxForm(type)) {
            kind = TypeLayout.PLP;
        }
        run(State.TYPE_REST, TypeLayout.restBytes(type));
    }

    private void typeNames() {
        typeNamesLeft = 3;
        field(State.TYPE_NAME_LENGTH, 1);
    }

    private void typeNameEnd() {
        typeNamesLeft--;
        if (typeNamesLeft == 0) {
            typeEnd();
        } else {
            // The third part of an XML schema collection's name has its length in two bytes, all others in one.
            field(State.TYPE_NAME_LENGTH, type == TypeLayout.XML && typeNamesLeft == 1 ? Short.BYTES : 1);
        }
    }

    private void typeEnd() {
        switch (typeOf) {
            case PARAMETER -> {
                wanted = sink.parameter(ordinal, name, status, type) && kind != TypeLayout.TABLE;
                value();
            }
            case CIPHER -> field(State.CIPHER_ALGORITHM, 1);
            case TABLE_COLUMN -> {
                columns.add(kind);
                field(State.TABLE_COLUMN_NAME_LENGTH, 1);
            }
        }
    }

    private void value() {
        switch (kind) {
            case TypeLayout.BYTE_LENGTH -> field(State.VALUE_LENGTH, 1);
            case TypeLayout.SHORT_LENGTH -> field(State.VALUE_LENGTH, Short.BYTES);
            case TypeLayout.LONG_LENGTH -> field(State.VALUE_LENGTH, Integer.BYTES);
            case TypeLayout.PLP -> field(State.PLP_TOTAL, Long.BYTES);
            case TypeLayout.TABLE -> field(State.TABLE_COLUMN_COUNT, Short.BYTES);
            default -> valueOf(kind);
        }
    }

    private void valueLength(long length) {
        boolean isNull = (kind == TypeLayout.SHORT_LENGTH && length == SHORT_NULL)
                || (kind == TypeLayout.LONG_LENGTH && length == LONG_NULL);
        if (isNull) {
            nullValue();
        } else {
            valueOf(length);
        }
    }

    private void valueOf(long length) {
        if (length == 0 && !TypeLayout.canBeEmpty(type, kind)) {
            nullValue();
        } else if (wanted && TypeLayout.isInteger(type) && length <= Long.BYTES) {
            field(State.INTEGER, (int) length);
        } else {
            run(State.VALUE, length);
        }
    }

    private void nullValue() {
        if (wanted) {
            sink.nullValue();
        }
        valueEnd();
    }

    private void integer(long value, ByteBuf packet, int index) {
        int length = fieldLength();
        int unused = Long.SIZE - 8 * length;
        // Only tinyint has no sign.
        sink.integer(length == 1 ? value : value << unused >> unused, packet, index, length);
        valueEnd();
    }

    private void valueEnd() {
        if (inRow) {
            rowValue();
        } else if ((status & RpcParameter.STATUS_ENCRYPTED) != 0) {
            wanted = false;
            type(TypeOf.CIPHER);
        } else {
            parameterEnd();
        }
    }

    private void nextColumn() {
        if (columns.isComplete()) {
            field(State.TABLE_METADATA_TOKEN, 1);
        } else {
            // User type and flags.
            field(State.TABLE_COLUMN, Integer.BYTES + Short.BYTES);
        }
    }

    private void metadataToken(int token) {
        if (token == TableColumns.END_TOKEN) {
            field(State.TABLE_ROW_TOKEN, 1);
        } else {
            orderEntryLength = TableColumns.orderEntryLength(token);
            field(State.TABLE_ORDER_COUNT, Short.BYTES);
        }
    }

    private void rowToken(int token) {
        inRow = columns.isRow(token);
        if (inRow) {
            columns.beginRow();
        }
        valueEnd();
    }

    private void rowValue() {
        if (columns.hasNextValue()) {
            kind = columns.nextKind();
            value();
        } else {
            field(State.TABLE_ROW_TOKEN, 1);
        }
    }

    private void field(State next, int length) {
        state = next;
        expectField(length);
    }

    private void run(State next, long length) {
        state = next;
        expectRun(length);
    }
}
