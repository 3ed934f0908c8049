package dev.comporta.tds.type;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** decimal and money. */
final class Decimals {
    private static final int MONEY_SCALE = 4;
    private static final int POSITIVE = 1;

    private Decimals() {}

    /** The bytes of a value, sign included: SQL Server sizes it by the declared precision, whatever the value. */
    static int length(int precision) {
        if (precision < 1 || precision > 38) {
            throw new IllegalArgumentException("precision " + precision);
        }
        return precision <= 9 ? 5 : precision <= 19 ? 9 : precision <= 28 ? 13 : 17;
    }

    static BigDecimal readDecimal(ByteBuf in, int length, int scale) {
        if (length < 2 || length > 17) {
            throw new ProtocolException("decimal value of %d bytes".formatted(length));
        }
        int sign = in.readUnsignedByte() == POSITIVE ? 1 : -1;
        byte[] magnitude = new byte[length - 1];
        for (int i = magnitude.length - 1; i >= 0; i--) {
            magnitude[i] = in.readByte();
        }
        BigInteger unscaled = new BigInteger(1, magnitude);
        return new BigDecimal(sign < 0 ? unscaled.negate() : unscaled, scale);
    }

    static void writeDecimal(ByteBuf out, BigDecimal value, int precision, int scale) {
        BigDecimal scaled = value.setScale(scale, RoundingMode.HALF_UP);
        if (scaled.precision() > precision) {
            throw new IllegalArgumentException("%s does not fit decimal(%d,%d)".formatted(value, precision, scale));
        }
        out.writeByte(scaled.signum() < 0 ? 0 : POSITIVE);
        byte[] magnitude = scaled.unscaledValue().abs().toByteArray();
        int bytes = length(precision) - 1;
        for (int i = 0; i < bytes; i++) {
            int from = magnitude.length - 1 - i;
            out.writeByte(from >= 0 ? magnitude[from] : 0);
        }
    }

    static BigDecimal readMoney(ByteBuf in, int length) {
        if (length == 4) {
            return BigDecimal.valueOf(in.readIntLE(), MONEY_SCALE);
        }
        long high = in.readIntLE();
        return BigDecimal.valueOf(high << 32 | in.readUnsignedIntLE(), MONEY_SCALE);
    }

    /** Eight bytes are two little-endian halves, the high one first. */
    static void writeMoney(ByteBuf out, BigDecimal value, int length) {
        try {
            BigInteger units = value.setScale(MONEY_SCALE, RoundingMode.HALF_UP).unscaledValue();
            if (length == 4) {
                out.writeIntLE(units.intValueExact());
            } else {
                long money = units.longValueExact();
                out.writeIntLE((int) (money >> 32));
                out.writeIntLE((int) money);
            }
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("%s does not fit money of %d bytes".formatted(value, length), e);
        }
    }
}
