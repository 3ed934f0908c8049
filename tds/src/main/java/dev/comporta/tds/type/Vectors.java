package dev.comporta.tds.type;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;

/** The content of a vector: a header that repeats the dimensions and the element type, then the elements. */
final class Vectors {
    static final int FLOAT32 = 0;
    static final int FLOAT16 = 1;

    private static final int HEADER = 8;
    private static final int MAGIC = 0xA9;
    private static final int VERSION = 1;

    private Vectors() {}

    static int length(int dimensions, int elementType) {
        return HEADER + dimensions * elementLength(elementType);
    }

    static float[] read(ByteBuf in, int length) {
        if (length < HEADER || in.readUnsignedByte() != MAGIC || in.readUnsignedByte() != VERSION) {
            throw new ProtocolException("vector without its header");
        }
        int dimensions = in.readUnsignedShortLE();
        int elementType = in.readUnsignedByte();
        in.skipBytes(3);
        if (elementType > FLOAT16 || length != length(dimensions, elementType)) {
            throw new ProtocolException(
                    "vector of %d elements of type %d in %d bytes".formatted(dimensions, elementType, length));
        }
        float[] elements = new float[dimensions];
        for (int i = 0; i < dimensions; i++) {
            elements[i] = elementType == FLOAT32 ? in.readFloatLE() : Float.float16ToFloat(in.readShortLE());
        }
        return elements;
    }

    static void write(ByteBuf out, float[] elements, int elementType) {
        out.writeByte(MAGIC);
        out.writeByte(VERSION);
        out.writeShortLE(elements.length);
        out.writeByte(elementType);
        out.writeZero(3);
        for (float element : elements) {
            if (elementType == FLOAT32) {
                out.writeFloatLE(element);
            } else {
                out.writeShortLE(Float.floatToFloat16(element));
            }
        }
    }

    private static int elementLength(int elementType) {
        return elementType == FLOAT32 ? 4 : 2;
    }
}
