package dev.comporta.standin.wire;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.tds.token.ColumnMetadata;
import dev.comporta.tds.type.DataType;
import dev.comporta.tds.type.SqlVariant;
import dev.comporta.tds.type.TypeInfo;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Converts between the engine's types and those of the wire. */
final class WireTypes {
    /** The user type by which clients distinguish a rowversion from other binary(8) columns. */
    private static final int USER_TYPE_ROWVERSION = 80;

    private static final int ROWVERSION_BYTES = 8;
    private static final int MAX_VARIANT_CHARACTERS = 4000;
    private static final int MAX_VARIANT_BYTES = 8000;
    private static final int SMALLDATETIME_BYTES = 4;
    private static final int DATETIME_BYTES = 8;
    private static final int MAX_SCALE = 7;

    private WireTypes() {}

    static ColumnMetadata metadata(Column column) {
        // A column that is not nullable has the fixed-length type, as SQL Server sends it.
        TypeInfo type = column.nullable() ? nullable(column.type()) : notNull(column.type());
        ColumnMetadata metadata = new ColumnMetadata(column.name(), type, column.nullable(), column.identity());
        long userType = column.type().name() == SqlType.Name.ROWVERSION ? USER_TYPE_ROWVERSION : 0;
        // Drivers require a table for text columns; for an expression SQL Server sends one without a name.
        List<String> table = type.type().hasTextPointer() ? List.of("") : List.of();
        return new ColumnMetadata(column.name(), userType, metadata.flags(), type, table);
    }

    private static TypeInfo notNull(SqlType type) {
        return switch (type.name()) {
            case BIT -> TypeInfo.fixed(DataType.BIT);
            case TINYINT -> TypeInfo.fixed(DataType.INT1);
            case SMALLINT -> TypeInfo.fixed(DataType.INT2);
            case INT -> TypeInfo.fixed(DataType.INT4);
            case BIGINT -> TypeInfo.fixed(DataType.INT8);
            case REAL -> TypeInfo.fixed(DataType.FLT4);
            case FLOAT -> TypeInfo.fixed(DataType.FLT8);
            case SMALLMONEY -> TypeInfo.fixed(DataType.MONEY4);
            case MONEY -> TypeInfo.fixed(DataType.MONEY);
            case DATETIME -> TypeInfo.fixed(DataType.DATETIME);
            case SMALLDATETIME -> TypeInfo.fixed(DataType.DATETIM4);
            default -> nullable(type);
        };
    }

    static TypeInfo nullable(SqlType type) {
        return switch (type.name()) {
            case BIT -> TypeInfo.bitN();
            case TINYINT -> TypeInfo.intN(1);
            case SMALLINT -> TypeInfo.intN(2);
            case INT -> TypeInfo.intN(4);
            case BIGINT -> TypeInfo.intN(8);
            case DECIMAL -> TypeInfo.decimal(type.precision(), type.scale());
            case NUMERIC -> TypeInfo.numeric(type.precision(), type.scale());
            case SMALLMONEY -> TypeInfo.moneyN(4);
            case MONEY -> TypeInfo.moneyN(8);
            case REAL -> TypeInfo.floatN(4);
            case FLOAT -> TypeInfo.floatN(8);
            case DATE -> TypeInfo.date();
            case TIME -> TypeInfo.time(type.scale());
            case DATETIME -> TypeInfo.datetimeN(DATETIME_BYTES);
            case SMALLDATETIME -> TypeInfo.datetimeN(SMALLDATETIME_BYTES);
            case DATETIME2 -> TypeInfo.datetime2(type.scale());
            case DATETIMEOFFSET -> TypeInfo.datetimeoffset(type.scale());
            case CHAR -> TypeInfo.character(type.length());
            case VARCHAR -> TypeInfo.varchar(type.length());
            case TEXT -> TypeInfo.text();
            case NCHAR -> TypeInfo.nchar(type.length());
            case NVARCHAR -> TypeInfo.nvarchar(type.length());
            case NTEXT -> TypeInfo.ntext();
            case BINARY -> TypeInfo.binary(type.length());
            case VARBINARY -> TypeInfo.varbinary(type.length());
            case IMAGE -> TypeInfo.image();
            case ROWVERSION -> TypeInfo.binary(ROWVERSION_BYTES);
            case UNIQUEIDENTIFIER -> TypeInfo.guid();
            case XML -> TypeInfo.xml();
            case SQL_VARIANT -> TypeInfo.sqlVariant();
        };
    }

    /** The engine's value as the wire's type requires it: only a variant must carry its type. */
    static @Nullable Object toWire(SqlType type, @Nullable Object value) {
        if (type.name() != SqlType.Name.SQL_VARIANT || value == null || value instanceof SqlVariant) {
            return value;
        }
        return new SqlVariant(variantType(value), value);
    }

    private static TypeInfo variantType(Object value) {
        return switch (value) {
            case Boolean _ -> TypeInfo.fixed(DataType.BIT);
            case Short _ -> TypeInfo.fixed(DataType.INT2);
            case Integer _ -> TypeInfo.fixed(DataType.INT4);
            case Long _ -> TypeInfo.fixed(DataType.INT8);
            case Float _ -> TypeInfo.fixed(DataType.FLT4);
            case Double _ -> TypeInfo.fixed(DataType.FLT8);
            case BigDecimal decimal ->
                TypeInfo.numeric(Math.max(decimal.precision(), decimal.scale()), decimal.scale());
            case LocalDate _ -> TypeInfo.date();
            case LocalTime _ -> TypeInfo.time(MAX_SCALE);
            case LocalDateTime _ -> TypeInfo.datetime2(MAX_SCALE);
            case OffsetDateTime _ -> TypeInfo.datetimeoffset(MAX_SCALE);
            case UUID _ -> TypeInfo.guid();
            case byte[] _ -> TypeInfo.varbinary(MAX_VARIANT_BYTES);
            case String _ -> TypeInfo.nvarchar(MAX_VARIANT_CHARACTERS);
            default ->
                throw new IllegalArgumentException(
                        "no variant holds a " + value.getClass().getSimpleName());
        };
    }

    /** The type of a parameter or of a bulk load's column; null for one that the engine lacks. */
    static @Nullable SqlType fromWire(TypeInfo info) {
        return switch (info.type()) {
            case BIT, BITN -> plain(SqlType.Name.BIT);
            case INT1 -> plain(SqlType.Name.TINYINT);
            case INT2 -> plain(SqlType.Name.SMALLINT);
            case INT4 -> plain(SqlType.Name.INT);
            case INT8 -> plain(SqlType.Name.BIGINT);
            case INTN ->
                plain(
                        switch (info.maxLength()) {
                            case 1 -> SqlType.Name.TINYINT;
                            case 2 -> SqlType.Name.SMALLINT;
                            case 4 -> SqlType.Name.INT;
                            default -> SqlType.Name.BIGINT;
                        });
            case FLT4 -> plain(SqlType.Name.REAL);
            case FLT8 -> plain(SqlType.Name.FLOAT);
            case FLTN -> plain(info.maxLength() == 4 ? SqlType.Name.REAL : SqlType.Name.FLOAT);
            case MONEY4 -> plain(SqlType.Name.SMALLMONEY);
            case MONEY -> plain(SqlType.Name.MONEY);
            case MONEYN -> plain(info.maxLength() == 4 ? SqlType.Name.SMALLMONEY : SqlType.Name.MONEY);
            case DATETIM4 -> plain(SqlType.Name.SMALLDATETIME);
            case DATETIME -> plain(SqlType.Name.DATETIME);
            case DATETIMN ->
                plain(info.maxLength() == SMALLDATETIME_BYTES ? SqlType.Name.SMALLDATETIME : SqlType.Name.DATETIME);
            case DECIMAL, DECIMALN -> new SqlType(SqlType.Name.DECIMAL, 0, info.precision(), info.scale());
            case NUMERIC, NUMERICN -> new SqlType(SqlType.Name.NUMERIC, 0, info.precision(), info.scale());
            case DATEN -> plain(SqlType.Name.DATE);
            case TIMEN -> scaled(SqlType.Name.TIME, info);
            case DATETIME2N -> scaled(SqlType.Name.DATETIME2, info);
            case DATETIMEOFFSETN -> scaled(SqlType.Name.DATETIMEOFFSET, info);
            case GUID -> plain(SqlType.Name.UNIQUEIDENTIFIER);
            case CHAR, BIGCHAR -> new SqlType(SqlType.Name.CHAR, info.maxLength(), 0, 0);
            case VARCHAR, BIGVARCHR -> sized(SqlType.Name.VARCHAR, info, 1);
            case NCHAR -> sized(SqlType.Name.NCHAR, info, 2);
            case NVARCHAR -> sized(SqlType.Name.NVARCHAR, info, 2);
            case BINARY, BIGBINARY -> new SqlType(SqlType.Name.BINARY, info.maxLength(), 0, 0);
            case VARBINARY, BIGVARBIN -> sized(SqlType.Name.VARBINARY, info, 1);
            case TEXT -> plain(SqlType.Name.TEXT);
            case NTEXT -> plain(SqlType.Name.NTEXT);
            case IMAGE -> plain(SqlType.Name.IMAGE);
            case XML -> plain(SqlType.Name.XML);
            case JSON -> new SqlType(SqlType.Name.NVARCHAR, SqlType.MAX, 0, 0);
            case SSVARIANT -> plain(SqlType.Name.SQL_VARIANT);
            case NULL -> new SqlType(SqlType.Name.INT, 0, 0, 0);
            case UDT, VECTOR, TVP -> null;
        };
    }

    private static SqlType plain(SqlType.Name name) {
        return new SqlType(name, 0, 0, 0);
    }

    private static SqlType scaled(SqlType.Name name, TypeInfo info) {
        return new SqlType(name, 0, 0, info.scale());
    }

    private static SqlType sized(SqlType.Name name, TypeInfo info, int bytesPerCharacter) {
        return new SqlType(name, info.isPlp() ? SqlType.MAX : info.maxLength() / bytesPerCharacter, 0, 0);
    }

    static @Nullable Object fromWire(@Nullable Object value) {
        return value instanceof SqlVariant variant ? variant.value() : value;
    }

    static List<ColumnMetadata> metadata(List<Column> columns) {
        return columns.stream().map(WireTypes::metadata).toList();
    }
}
