package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A scrape, taken apart by the rules of Prometheus' text format: each family has its type before its samples and all of
 * them together, no sample comes twice, and histograms add up.
 */
final class Exposition {
    private static final Pattern TYPE = Pattern.compile("# TYPE ([a-zA-Z_:][\\w:]*) (gauge|counter|histogram|summary)");
    private static final Pattern HELP = Pattern.compile("# HELP ([a-zA-Z_:][\\w:]*) (.+)");
    private static final Pattern SAMPLE = Pattern.compile(
            "([a-zA-Z_:][\\w:]*)(\\{(?:[a-zA-Z_]\\w*=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\",?)*})? ([-+.\\deE]+|\\+Inf|NaN)");
    private static final Pattern LE = Pattern.compile(",?le=\"([^\"]+)\"");

    /** Of each family, by its name. */
    final Map<String, String> types = new TreeMap<>();

    private final Map<String, Double> samples = new TreeMap<>();

    static Exposition parse(String text) {
        Exposition parsed = new Exposition();
        Set<String> finished = new HashSet<>();
        String family = "";
        for (String line : text.split("\n")) {
            if (line.startsWith("# HELP")) {
                assertThat(line).matches(HELP);
                continue;
            }
            Matcher type = TYPE.matcher(line);
            if (type.matches()) {
                finished.add(family);
                family = type.group(1);
                assertThat(finished).as("families that came before").doesNotContain(family);
                parsed.types.put(family, type.group(2));
                continue;
            }
            parsed.sample(line, family);
        }
        parsed.types.forEach((name, kind) -> {
            if (kind.equals("histogram")) {
                parsed.checkHistogram(name);
            }
        });
        return parsed;
    }

    private void sample(String line, String family) {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        String name = sample.group(1);
        if ("histogram".equals(types.get(family))) {
            assertThat(name).isIn(family + "_bucket", family + "_sum", family + "_count");
        } else if ("summary".equals(types.get(family))) {
            assertThat(name).isIn(family, family + "_sum", family + "_count");
        } else {
            assertThat(name).isEqualTo(family);
        }
        String labels = sample.group(2) == null ? "" : sample.group(2);
        double value = sample.group(3).equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(sample.group(3));
        assertThat(samples.put(name + labels, value)).as(line + " comes twice").isNull();
    }

    private void checkHistogram(String family) {
        Map<String, TreeMap<Double, Double>> buckets = new TreeMap<>();
        samples.forEach((key, value) -> {
            if (key.startsWith(family + "_bucket")) {
                Matcher le = LE.matcher(key);
                assertThat(le.find()).as(key).isTrue();
                String labels = le.replaceFirst("").substring((family + "_bucket").length());
                double bound = le.group(1).equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le.group(1));
                buckets.computeIfAbsent(labels, _ -> new TreeMap<>()).put(bound, value);
            }
        });
        buckets.forEach((labels, counts) -> {
            assertThat(List.copyOf(counts.values())).as(family + labels).isSorted();
            assertThat(counts).containsKey(Double.POSITIVE_INFINITY);
            assertThat(counts.lastEntry().getValue()).isEqualTo(value(family + "_count" + labels));
        });
    }

    /** @param sample with its labels, as Prometheus shows them */
    double value(String sample) {
        assertThat(samples).containsKey(sample);
        return samples.get(sample);
    }

    boolean has(String sample) {
        return samples.containsKey(sample);
    }
}
