package dev.comporta.tds.type;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class TypePropertyTest {
    @Provide
    Arbitrary<AnyValue> values() {
        return AnyValue.ofColumn();
    }

    @Property(tries = 2000)
    void whatIsWrittenReadsBackTheSame(@ForAll("values") AnyValue any) {
        ByteBuf out = Unpooled.buffer();
        any.type().write(out);
        any.type().writeColumn(out, any.value());
        any.type().writeValue(out, any.value());
        TypeInfo type = TypeInfo.read(out, TdsVersion.V7_4);
        assertThat(type).isEqualTo(any.type());
        ByteBuf skipped = out.duplicate();
        assertThat(type.readColumn(out)).isEqualTo(any.value());
        assertThat(type.readValue(out)).isEqualTo(any.value());
        assertThat(out.isReadable()).isFalse();
        type.skipColumn(skipped);
        type.skipValue(skipped);
        assertThat(skipped.isReadable()).isFalse();
    }
}
