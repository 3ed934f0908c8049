package dev.comporta.standin.engine.view;

import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.SqlType.Name;
import dev.comporta.standin.engine.type.Types;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Types in the catalog: ids, lengths, precisions, ODBC's numbers. */
public final class TypeCatalog {
    private TypeCatalog() {}

    public static @Nullable String name(int id) {
        if (id == 256) {
            return "sysname";
        }
        for (Name name : Name.values()) {
            if (name.id() == id) {
                return Types.name(new SqlType(name, 0, 0, 0));
            }
        }
        return null;
    }

    public static @Nullable Integer id(String typeName) {
        String wanted = typeName.toLowerCase(Locale.ROOT);
        for (Name name : Name.values()) {
            if (Types.name(new SqlType(name, 0, 0, 0)).equals(wanted)) {
                return name.id();
            }
        }
        return wanted.equals("sysname") ? (Integer) 256 : null;
    }

    /** sys.columns.max_length: bytes, -1 for (max). */
    public static int maxLength(SqlType type) {
        return switch (type.name()) {
            case BIT, TINYINT -> 1;
            case SMALLINT -> 2;
            case INT, REAL, SMALLMONEY, SMALLDATETIME -> 4;
            case DATE -> 3;
            case TIME -> 5;
            case DATETIME2, BIGINT, FLOAT, MONEY, DATETIME, ROWVERSION -> 8;
            case DATETIMEOFFSET -> 10;
            case DECIMAL, NUMERIC ->
                type.precision() <= 9 ? 5 : type.precision() <= 19 ? 9 : type.precision() <= 28 ? 13 : 17;
            case UNIQUEIDENTIFIER, TEXT, NTEXT, IMAGE -> 16;
            case CHAR, VARCHAR, BINARY, VARBINARY -> type.length();
            case NCHAR, NVARCHAR -> type.length() < 0 ? -1 : type.length() * 2;
            case XML -> -1;
            case SQL_VARIANT -> 8016;
        };
    }

    /** sys.columns.precision. */
    public static int precision(SqlType type) {
        return switch (type.name()) {
            case BIT -> 1;
            case TINYINT -> 3;
            case SMALLINT -> 5;
            case INT -> 10;
            case BIGINT, MONEY -> 19;
            case SMALLMONEY -> 10;
            case REAL -> 24;
            case FLOAT -> 53;
            case DECIMAL, NUMERIC -> type.precision();
            case DATE -> 10;
            case TIME -> type.scale() == 0 ? 8 : 9 + type.scale();
            case DATETIME -> 23;
            case SMALLDATETIME -> 16;
            case DATETIME2 -> type.scale() == 0 ? 19 : 20 + type.scale();
            case DATETIMEOFFSET -> type.scale() == 0 ? 26 : 27 + type.scale();
            default -> 0;
        };
    }

    public static int scale(SqlType type) {
        return switch (type.name()) {
            case MONEY, SMALLMONEY -> 4;
            case DATETIME -> 3;
            default -> type.scale();
        };
    }

    /** ODBC 3's number for the type, as in sp_columns. */
    public static int odbcType(SqlType type) {
        return switch (type.name()) {
            case BIT -> -7;
            case TINYINT -> -6;
            case SMALLINT -> 5;
            case INT -> 4;
            case BIGINT -> -5;
            case DECIMAL, MONEY, SMALLMONEY -> 3;
            case NUMERIC -> 2;
            case REAL -> 7;
            case FLOAT -> 6;
            case DATE -> 91;
            case TIME -> -154;
            case DATETIME, SMALLDATETIME, DATETIME2 -> 93;
            case DATETIMEOFFSET -> -155;
            case CHAR -> 1;
            case VARCHAR -> type.length() < 0 ? -1 : 12;
            case TEXT -> -1;
            case NCHAR -> -8;
            case NVARCHAR -> type.length() < 0 ? -10 : -9;
            case NTEXT -> -10;
            case BINARY, ROWVERSION -> -2;
            case VARBINARY -> type.length() < 0 ? -4 : -3;
            case IMAGE -> -4;
            case UNIQUEIDENTIFIER -> -11;
            case XML -> -152;
            case SQL_VARIANT -> -150;
        };
    }

    /** ODBC's verbose type: one number for all dates and times, which {@link #datetimeSub} distinguishes. */
    public static int odbcVerboseType(SqlType type) {
        return datetimeSub(type) == null ? odbcType(type) : 9;
    }

    public static @Nullable Short datetimeSub(SqlType type) {
        return switch (type.name()) {
            case DATE -> (short) 1;
            case DATETIME, SMALLDATETIME, DATETIME2 -> (short) 3;
            default -> null;
        };
    }

    /** ODBC's column size: characters, or digits. */
    public static int columnSize(SqlType type) {
        return switch (type.name()) {
            case CHAR, VARCHAR, NCHAR, NVARCHAR, BINARY, VARBINARY -> type.length() < 0 ? 0 : type.length();
            case TEXT, IMAGE -> Integer.MAX_VALUE;
            case NTEXT -> 1_073_741_823;
            case UNIQUEIDENTIFIER -> 36;
            case ROWVERSION -> 8;
            case SQL_VARIANT -> 8000;
            case REAL -> 7;
            case FLOAT -> 15;
            default -> precision(type);
        };
    }

    /** The size of the value in bytes as ODBC transfers it. */
    public static int bufferLength(SqlType type) {
        return switch (type.name()) {
            case DATE -> 6;
            case TIME -> 12;
            case DATETIME, SMALLDATETIME, DATETIME2 -> 16;
            case DATETIMEOFFSET -> 20;
            case DECIMAL, NUMERIC -> type.precision() + 2;
            case MONEY -> 21;
            case SMALLMONEY -> 12;
            case TEXT, IMAGE -> Integer.MAX_VALUE;
            case NTEXT -> 2_147_483_646;
            case VARCHAR, NVARCHAR, VARBINARY, XML -> Math.max(0, maxLength(type));
            default -> maxLength(type);
        };
    }
}
