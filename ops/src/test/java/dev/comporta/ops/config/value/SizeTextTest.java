package dev.comporta.ops.config.value;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class SizeTextTest {
    @Property
    void whatIsWrittenIsReadAgain(@ForAll @LongRange(min = 0) long bytes) throws BadValue {
        assertThat(SizeText.parse(SizeText.format(bytes))).isEqualTo(bytes);
    }

    @Example
    void kilobyteHas1024Bytes() throws BadValue {
        assertThat(SizeText.parse("16KB")).isEqualTo(16_384);
        assertThat(SizeText.parse("16kib")).isEqualTo(16_384);
        assertThat(SizeText.parse("2mb")).isEqualTo(2_097_152);
        assertThat(SizeText.parse("512")).isEqualTo(512);
        assertThat(SizeText.format(3L << 30)).isEqualTo("3GB");
    }
}
