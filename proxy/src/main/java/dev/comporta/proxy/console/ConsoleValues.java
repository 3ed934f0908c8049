package dev.comporta.proxy.console;

import dev.comporta.console.system.Arguments;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.value.TypedValue;
import dev.comporta.tds.request.RpcParameter;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts a driver's parameters to values of the console, which has fewer types. */
final class ConsoleValues {
    private ConsoleValues() {}

    static Arguments arguments(List<RpcParameter> parameters) {
        Arguments arguments = new Arguments();
        parameters.forEach(parameter -> add(arguments, parameter.name(), parameter));
        return arguments;
    }

    static void add(Arguments arguments, String name, RpcParameter parameter) {
        arguments.add(name.isEmpty() ? null : name, value(parameter.value()));
    }

    /** The parameter's integer; 0, which is never a handle, for any other value. */
    static int integer(RpcParameter parameter) {
        return parameter.value() instanceof Number number ? number.intValue() : 0;
    }

    private static TypedValue value(@Nullable Object value) {
        return switch (value) {
            case null -> new TypedValue(ColumnType.NVARCHAR, null);
            case Boolean bit -> TypedValue.of(bit);
            case Long number -> TypedValue.of(number);
            case Byte number -> TypedValue.of(Byte.toUnsignedInt(number)); // TINYINT has no sign
            case Short number -> TypedValue.of(number.intValue());
            case Integer number -> TypedValue.of(number);
            case BigDecimal number -> decimal(number);
            case Number number -> TypedValue.of(number.doubleValue());
            case LocalDateTime at -> TypedValue.of(at);
            case LocalDate day -> TypedValue.of(day.atStartOfDay());
            case OffsetDateTime at ->
                TypedValue.of(at.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime());
            default -> TypedValue.of(value.toString());
        };
    }

    private static TypedValue decimal(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        boolean isWhole = stripped.scale() <= 0 && stripped.precision() - stripped.scale() <= 18;
        return isWhole ? TypedValue.of(stripped.longValueExact()) : TypedValue.of(number.doubleValue());
    }
}
