package dev.comporta.standin.engine.function;

import static dev.comporta.standin.engine.function.JavaFunction.strict;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.type.Conversion;
import dev.comporta.standin.engine.type.Types;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Functions of numbers, and the few others that need no session. */
final class MathFunctions {
    private MathFunctions() {}

    static void addTo(Map<String, JavaFunction> functions) {
        functions.put("ABS", exact(BigDecimal::abs));
        functions.put("CEILING", whole(RoundingMode.CEILING));
        functions.put("FLOOR", whole(RoundingMode.FLOOR));
        functions.put("SIGN", exact(number -> BigDecimal.valueOf(number.signum())));
        functions.put("ROUND", strict(2, 3, MathFunctions::sameNumber, MathFunctions::round));
        functions.put("POWER", strict(2, 2, MathFunctions::sameNumber, MathFunctions::power));
        functions.put("PI", strict(0, 0, t -> Types.FLOAT, a -> Math.PI));
        functions.put("SQUARE", approximate(x -> x * x));
        functions.put("SQRT", approximate(Math::sqrt));
        functions.put("EXP", approximate(Math::exp));
        functions.put("LOG", approximate(Math::log));
        functions.put("LOG10", approximate(Math::log10));
        functions.put("SIN", approximate(Math::sin));
        functions.put("COS", approximate(Math::cos));
        functions.put("TAN", approximate(Math::tan));
        functions.put(
                "RAND", random(1, Types.FLOAT, a -> ThreadLocalRandom.current().nextDouble()));
        functions.put("NEWID", random(0, Types.UNIQUEIDENTIFIER, a -> UUID.randomUUID()));
        functions.put("NEWSEQUENTIALID", random(0, Types.UNIQUEIDENTIFIER, a -> UUID.randomUUID()));
        functions.put("HASHBYTES", strict(2, 2, t -> Types.varbinary(8000), MathFunctions::hash));
    }

    private static SqlType sameNumber(List<SqlType> types) {
        SqlType type = types.getFirst();
        return switch (type.name()) {
            case TINYINT, SMALLINT, BIT -> Types.INT;
            case REAL -> Types.FLOAT;
            case SMALLMONEY -> Types.MONEY;
            default -> Types.isNumber(type) ? type : Types.FLOAT;
        };
    }

    /** The type of CEILING and FLOOR: decimal(p, 0) for decimal(p, s), float for bit. */
    private static SqlType wholeNumber(List<SqlType> types) {
        SqlType type = types.getFirst();
        return switch (type.name()) {
            case DECIMAL, NUMERIC -> new SqlType(type.name(), 0, type.precision(), 0);
            case BIT -> Types.FLOAT;
            default -> sameNumber(types);
        };
    }

    /** A function with another value at each call. */
    private static JavaFunction random(int most, SqlType type, JavaFunction.Body body) {
        return new JavaFunction(0, most, false, types -> type, body);
    }

    private static JavaFunction exact(UnaryOperator<BigDecimal> operator) {
        return strict(1, 1, MathFunctions::sameNumber, a -> as(sameNumber(a.types()), operator.apply(number(a, 0))));
    }

    private static JavaFunction whole(RoundingMode mode) {
        return strict(
                1,
                1,
                MathFunctions::wholeNumber,
                a -> as(wholeNumber(a.types()), number(a, 0).setScale(0, mode)));
    }

    private static JavaFunction approximate(DoubleUnaryOperator operator) {
        return strict(1, 1, types -> Types.FLOAT, a -> {
            double result = operator.applyAsDouble(number(a, 0).doubleValue());
            if (Double.isNaN(result) || Double.isInfinite(result)) {
                throw SqlError.statement(3623, 16, 1, "An invalid floating point operation occurred.");
            }
            return result;
        });
    }

    private static BigDecimal number(JavaFunction.Arguments a, int index) {
        Object value = a.get(index);
        return switch (value) {
            case BigDecimal number -> number;
            case Double number -> BigDecimal.valueOf(number);
            case Float number -> BigDecimal.valueOf(number);
            case Number number -> BigDecimal.valueOf(number.longValue());
            case Boolean flag -> flag ? BigDecimal.ONE : BigDecimal.ZERO;
            default -> {
                Object converted =
                        new Conversion("mdy").convert(value, a.types().get(index), Types.FLOAT);
                yield converted instanceof Double number ? BigDecimal.valueOf(number) : BigDecimal.ZERO;
            }
        };
    }

    private static @Nullable Object back(JavaFunction.Arguments a, BigDecimal number) {
        return as(sameNumber(a.types()), number);
    }

    private static @Nullable Object as(SqlType type, BigDecimal number) {
        return new Conversion("mdy").convert(number, Types.numeric(38, Math.max(0, number.scale())), type);
    }

    private static @Nullable Object round(JavaFunction.Arguments a) {
        RoundingMode mode = a.count() > 2 && a.integer(2) != 0 ? RoundingMode.DOWN : RoundingMode.HALF_UP;
        BigDecimal number = number(a, 0);
        BigDecimal rounded = number.setScale(a.integer(1), mode);
        return back(a, rounded.setScale(Math.max(0, rounded.scale())));
    }

    private static @Nullable Object power(JavaFunction.Arguments a) {
        double result = Math.pow(number(a, 0).doubleValue(), number(a, 1).doubleValue());
        if (Double.isNaN(result) || Double.isInfinite(result)) {
            throw SqlError.overflow(Types.name(sameNumber(a.types())));
        }
        return new Conversion("mdy").convert(result, Types.FLOAT, sameNumber(a.types()));
    }

    private static byte[] hash(JavaFunction.Arguments a) {
        String algorithm = switch (a.text(0).toUpperCase(Locale.ROOT)) {
            case "MD5" -> "MD5";
            case "SHA", "SHA1" -> "SHA-1";
            case "SHA2_256" -> "SHA-256";
            case "SHA2_512" -> "SHA-512";
            default -> throw SqlError.unsupported("HASHBYTES with " + a.text(0));
        };
        byte[] bytes = a.get(1) instanceof byte[] binary
                ? binary
                : a.text(1)
                        .getBytes(
                                Types.isUnicode(a.types().get(1))
                                        ? StandardCharsets.UTF_16LE
                                        : StandardCharsets.ISO_8859_1);
        try {
            return MessageDigest.getInstance(algorithm).digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
