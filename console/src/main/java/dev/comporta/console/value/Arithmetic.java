package dev.comporta.console.value;

import dev.comporta.console.table.ColumnType;

/** Arithmetic on two operands of one numeric type. Whole numbers stay whole: {@code 7 / 2} is 3. */
public enum Arithmetic {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    MODULO;

    public Object apply(ColumnType type, Object a, Object b) {
        return switch (type) {
            case INT -> narrow(onLongs((Integer) a, (Integer) b));
            case BIGINT -> onLongs((Long) a, (Long) b);
            case FLOAT -> onDoubles((Double) a, (Double) b);
            case BIT, NVARCHAR, DATETIME2 -> throw new IllegalStateException("no arithmetic on " + type);
        };
    }

    private long onLongs(long a, long b) {
        try {
            return switch (this) {
                case ADD -> Math.addExact(a, b);
                case SUBTRACT -> Math.subtractExact(a, b);
                case MULTIPLY -> Math.multiplyExact(a, b);
                case DIVIDE -> Math.divideExact(a, nonZero(b));
                case MODULO -> a % nonZero(b);
            };
        } catch (ArithmeticException e) {
            throw ValueException.overflow(ColumnType.BIGINT);
        }
    }

    private double onDoubles(double a, double b) {
        if (b == 0 && (this == DIVIDE || this == MODULO)) {
            throw divideByZero();
        }
        double result = switch (this) {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> a / b;
            case MODULO -> a % b;
        };
        if (Double.isInfinite(result) || Double.isNaN(result)) {
            throw ValueException.overflow(ColumnType.FLOAT);
        }
        return result;
    }

    private static long nonZero(long divisor) {
        if (divisor == 0) {
            throw divideByZero();
        }
        return divisor;
    }

    private static ValueException divideByZero() {
        return new ValueException(8134, "Divide by zero error encountered.");
    }

    static Integer narrow(long value) {
        if (value != (int) value) {
            throw ValueException.overflow(ColumnType.INT);
        }
        return (int) value;
    }
}
