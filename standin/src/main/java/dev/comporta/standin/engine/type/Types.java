package dev.comporta.standin.engine.type;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.SqlType.Name;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Properties of types: names, families, precedence, and the type of an operation's result. */
public final class Types {
    public static final SqlType BIT = new SqlType(Name.BIT, 0, 0, 0);
    public static final SqlType TINYINT = new SqlType(Name.TINYINT, 0, 0, 0);
    public static final SqlType SMALLINT = new SqlType(Name.SMALLINT, 0, 0, 0);
    public static final SqlType INT = new SqlType(Name.INT, 0, 0, 0);
    public static final SqlType BIGINT = new SqlType(Name.BIGINT, 0, 0, 0);
    public static final SqlType MONEY = new SqlType(Name.MONEY, 0, 0, 0);
    public static final SqlType FLOAT = new SqlType(Name.FLOAT, 0, 0, 0);
    public static final SqlType REAL = new SqlType(Name.REAL, 0, 0, 0);
    public static final SqlType DATE = new SqlType(Name.DATE, 0, 0, 0);
    public static final SqlType DATETIME = new SqlType(Name.DATETIME, 0, 0, 0);
    public static final SqlType DATETIME2 = new SqlType(Name.DATETIME2, 0, 0, 7);
    public static final SqlType DATETIMEOFFSET = new SqlType(Name.DATETIMEOFFSET, 0, 0, 7);
    public static final SqlType UNIQUEIDENTIFIER = new SqlType(Name.UNIQUEIDENTIFIER, 0, 0, 0);
    public static final SqlType SQL_VARIANT = new SqlType(Name.SQL_VARIANT, 0, 0, 0);
    public static final SqlType SYSNAME = nvarchar(128);

    private static final int MAX_PRECISION = 38;

    /** From highest to lowest, as documented under "Data type precedence". */
    private static final List<Name> PRECEDENCE =
            Stream.of("""
                    SQL_VARIANT XML DATETIMEOFFSET DATETIME2 DATETIME SMALLDATETIME DATE TIME FLOAT REAL DECIMAL NUMERIC
                    MONEY SMALLMONEY BIGINT INT SMALLINT TINYINT BIT NTEXT TEXT IMAGE ROWVERSION UNIQUEIDENTIFIER NVARCHAR
                    NCHAR VARCHAR CHAR VARBINARY BINARY
                    """.strip().split("\\s+", -1)).map(Name::valueOf).toList();

    private Types() {}

    public static SqlType varchar(int length) {
        return new SqlType(Name.VARCHAR, length, 0, 0);
    }

    public static SqlType nvarchar(int length) {
        return new SqlType(Name.NVARCHAR, length, 0, 0);
    }

    public static SqlType varbinary(int length) {
        return new SqlType(Name.VARBINARY, length, 0, 0);
    }

    public static SqlType numeric(int precision, int scale) {
        return new SqlType(Name.NUMERIC, 0, precision, scale);
    }

    public static boolean isText(SqlType type) {
        return switch (type.name()) {
            case CHAR, VARCHAR, TEXT, NCHAR, NVARCHAR, NTEXT, XML -> true;
            default -> false;
        };
    }

    public static boolean isUnicode(SqlType type) {
        return switch (type.name()) {
            case NCHAR, NVARCHAR, NTEXT, XML -> true;
            default -> false;
        };
    }

    public static boolean isFixedText(SqlType type) {
        return type.name() == Name.CHAR || type.name() == Name.NCHAR;
    }

    public static boolean isBinary(SqlType type) {
        return switch (type.name()) {
            case BINARY, VARBINARY, IMAGE, ROWVERSION -> true;
            default -> false;
        };
    }

    public static boolean isInteger(SqlType type) {
        return switch (type.name()) {
            case BIT, TINYINT, SMALLINT, INT, BIGINT -> true;
            default -> false;
        };
    }

    public static boolean isDecimal(SqlType type) {
        return type.name() == Name.DECIMAL || type.name() == Name.NUMERIC;
    }

    public static boolean isMoney(SqlType type) {
        return type.name() == Name.MONEY || type.name() == Name.SMALLMONEY;
    }

    public static boolean isApproximate(SqlType type) {
        return type.name() == Name.FLOAT || type.name() == Name.REAL;
    }

    public static boolean isNumber(SqlType type) {
        return isInteger(type) || isDecimal(type) || isMoney(type) || isApproximate(type);
    }

    public static boolean isTemporal(SqlType type) {
        return switch (type.name()) {
            case DATE, TIME, DATETIME, SMALLDATETIME, DATETIME2, DATETIMEOFFSET -> true;
            default -> false;
        };
    }

    /** Whether it is a (max) type or one of the old large ones, which H2 stores as LOBs. */
    public static boolean isLarge(SqlType type) {
        return switch (type.name()) {
            case TEXT, NTEXT, IMAGE, XML -> true;
            case VARCHAR, NVARCHAR, VARBINARY -> type.length() == SqlType.MAX;
            default -> false;
        };
    }

    /** The name in messages and catalog views. */
    public static String name(SqlType type) {
        return type.name() == Name.ROWVERSION ? "timestamp" : type.name().name().toLowerCase(Locale.ROOT);
    }

    /** The type to which both operands of a comparison, CASE, UNION or COALESCE are converted. */
    public static SqlType common(SqlType left, SqlType right) {
        if (left.equals(right)) {
            return left;
        }
        SqlType higher = precedence(left) <= precedence(right) ? left : right;
        SqlType lower = higher.equals(left) ? right : left;
        return switch (higher.name()) {
            case DECIMAL, NUMERIC -> commonDecimal(higher, lower);
            case TIME, DATETIME2, DATETIMEOFFSET -> withScale(higher, commonTimeScale(higher, lower));
            case CHAR, VARCHAR, NCHAR, NVARCHAR, BINARY, VARBINARY -> commonLength(higher, lower);
            default -> higher;
        };
    }

    private static int precedence(SqlType type) {
        return PRECEDENCE.indexOf(type.name());
    }

    private static SqlType withScale(SqlType type, int scale) {
        return new SqlType(type.name(), type.length(), type.precision(), scale);
    }

    private static int commonTimeScale(SqlType higher, SqlType lower) {
        return switch (lower.name()) {
            case TIME, DATETIME2, DATETIMEOFFSET -> Math.max(higher.scale(), lower.scale());
            case DATETIME -> Math.max(higher.scale(), 3);
            default -> higher.scale();
        };
    }

    private static SqlType commonDecimal(SqlType higher, SqlType lower) {
        if (!isNumber(lower)) {
            return higher;
        }
        SqlType other = asDecimal(lower);
        int scale = Math.max(higher.scale(), other.scale());
        int integral = Math.max(higher.precision() - higher.scale(), other.precision() - other.scale());
        return new SqlType(higher.name(), 0, Math.min(MAX_PRECISION, integral + scale), scale);
    }

    private static SqlType commonLength(SqlType higher, SqlType lower) {
        int length = higher.length();
        if (isLarge(lower) || lower.length() > length) {
            length = length == SqlType.MAX ? length : isLarge(lower) ? SqlType.MAX : lower.length();
        }
        Name name = higher.name();
        if (length == SqlType.MAX) {
            name = variable(name);
        } else if (variable(name) != name && variable(lower.name()) == lower.name()) {
            name = variable(name);
        }
        return new SqlType(name, length, 0, 0);
    }

    /** The variable-length type of the same kind. */
    public static Name variable(Name name) {
        return switch (name) {
            case CHAR -> Name.VARCHAR;
            case NCHAR -> Name.NVARCHAR;
            case BINARY -> Name.VARBINARY;
            default -> name;
        };
    }

    /** The type of an exact number in an operation with a decimal. */
    public static SqlType asDecimal(SqlType type) {
        return switch (type.name()) {
            case BIT -> numeric(1, 0);
            case TINYINT -> numeric(3, 0);
            case SMALLINT -> numeric(5, 0);
            case INT -> numeric(10, 0);
            case BIGINT -> numeric(19, 0);
            case SMALLMONEY -> numeric(10, 4);
            case MONEY -> numeric(19, 4);
            default -> type;
        };
    }

    /** The type of {@code left operator right}; a text operand is converted to the other's type. */
    public static SqlType arithmetic(char operator, SqlType left, SqlType right) {
        if (operator == '+' && isText(left) && isText(right)) {
            return concatenation(left, right);
        }
        if (operator == '+' && isBinary(left) && isBinary(right)) {
            return varbinary(sumOfLengths(left, right, 8000));
        }
        SqlType common = common(left, right);
        if (isTemporal(common)) {
            if (common.name() == Name.DATETIME || common.name() == Name.SMALLDATETIME) {
                return common;
            }
            throw SqlError.operandClash(name(left), name(right));
        }
        if (!isNumber(common)) {
            throw SqlError.operandClash(name(left), name(right));
        }
        if (isDecimal(common) && isDecimalOrInteger(left) && isDecimalOrInteger(right)) {
            return decimalResult(operator, asDecimal(left), asDecimal(right));
        }
        return common.name() == Name.BIT ? INT : common;
    }

    private static boolean isDecimalOrInteger(SqlType type) {
        return isDecimal(type) || isInteger(type) || isMoney(type);
    }

    private static SqlType concatenation(SqlType left, SqlType right) {
        boolean unicode = isUnicode(left) || isUnicode(right);
        int length = sumOfLengths(left, right, unicode ? 4000 : 8000);
        return unicode ? nvarchar(length) : varchar(length);
    }

    private static int sumOfLengths(SqlType left, SqlType right, int most) {
        if (isLarge(left) || isLarge(right)) {
            return SqlType.MAX;
        }
        return Math.max(1, Math.min(most, left.length() + right.length()));
    }

    /** As documented under "Precision, scale, and length". */
    private static SqlType decimalResult(char operator, SqlType left, SqlType right) {
        int p1 = left.precision();
        int s1 = left.scale();
        int p2 = right.precision();
        int s2 = right.scale();
        int precision;
        int scale;
        switch (operator) {
            case '*' -> {
                precision = p1 + p2 + 1;
                scale = s1 + s2;
            }
            case '/' -> {
                scale = Math.max(6, s1 + p2 + 1);
                precision = p1 - s1 + s2 + scale;
            }
            case '%' -> {
                scale = Math.max(s1, s2);
                precision = Math.min(p1 - s1, p2 - s2) + scale;
            }
            default -> {
                scale = Math.max(s1, s2);
                precision = scale + Math.max(p1 - s1, p2 - s2) + 1;
            }
        }
        if (precision > MAX_PRECISION) {
            boolean additive = operator == '+' || operator == '-';
            int integral = precision - scale;
            if (additive) {
                scale = Math.max(0, Math.min(scale, MAX_PRECISION - integral));
            } else if (integral < 32) {
                scale = Math.min(scale, MAX_PRECISION - integral);
            } else {
                scale = Math.min(scale, 6);
            }
            precision = MAX_PRECISION;
        }
        return numeric(precision, scale);
    }

    /** The H2 type that stores it. Text is VARCHAR_IGNORECASE because the server's collation ignores case. */
    public static String h2(SqlType type) {
        return switch (type.name()) {
            case BIT -> "BOOLEAN";
            case TINYINT, SMALLINT -> "SMALLINT";
            case INT -> "INTEGER";
            case BIGINT -> "BIGINT";
            case DECIMAL, NUMERIC -> "NUMERIC(" + type.precision() + "," + type.scale() + ")";
            case SMALLMONEY, MONEY -> "NUMERIC(19,4)";
            case REAL -> "REAL";
            case FLOAT -> "DOUBLE PRECISION";
            case DATE -> "DATE";
            case TIME -> "TIME(" + type.scale() + ")";
            case DATETIME -> "TIMESTAMP(3)";
            case SMALLDATETIME -> "TIMESTAMP(0)";
            case DATETIME2 -> "TIMESTAMP(" + type.scale() + ")";
            case DATETIMEOFFSET -> "TIMESTAMP(" + type.scale() + ") WITH TIME ZONE";
            case CHAR, VARCHAR, NCHAR, NVARCHAR ->
                type.length() == SqlType.MAX ? "CHARACTER LARGE OBJECT" : "VARCHAR_IGNORECASE(" + type.length() + ")";
            case TEXT, NTEXT, XML -> "CHARACTER LARGE OBJECT";
            case BINARY, VARBINARY ->
                type.length() == SqlType.MAX ? "BINARY LARGE OBJECT" : "VARBINARY(" + type.length() + ")";
            case IMAGE -> "BINARY LARGE OBJECT";
            case ROWVERSION -> "VARBINARY(8)";
            case UNIQUEIDENTIFIER -> "UUID";
            case SQL_VARIANT -> "JAVA_OBJECT";
        };
    }
}
