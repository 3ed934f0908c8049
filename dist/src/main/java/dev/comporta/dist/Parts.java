package dev.comporta.dist;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Documents the parts of a distribution: the SBOM with exactly its jars and Java runtime, a list of the third-party parts
 * with their licences, and the licence texts from their jars. The same tree gives the same bytes.
 */
final class Parts {
    private static final Pattern CLASSIFIER = Pattern.compile("[?&]classifier=([^&]+)");

    /** Licence files in jars: at the top or in META-INF, some in a directory of their own. */
    private static final Pattern LICENCE_FILE = Pattern.compile(
            "(?:META-INF/)?(?:licen[cs]es?/)?[^/]*(?:LICEN[CS]E|NOTICE|COPYING)[^/]*", Pattern.CASE_INSENSITIVE);

    private static final String OURS = "dev.comporta";

    private final Path tree;
    private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private final ObjectNode sbom;

    /** @param sbom Maven's SBOM, which has the jars of all platforms */
    Parts(Path tree, Path sbom) throws IOException {
        this.tree = tree;
        this.sbom = (ObjectNode) json.readTree(sbom.toFile());
    }

    void write() throws IOException {
        Map<String, JsonNode> shipped = shipped();
        Set<String> refs = new HashSet<>();
        ArrayNode components = json.createArrayNode();
        shipped.values().forEach(part -> {
            components.add(part);
            refs.add(part.path("bom-ref").asText());
        });
        refs.add(sbom.path("metadata").path("component").path("bom-ref").asText());
        ObjectNode runtime = runtime();
        components.add(runtime);
        sbom.set("components", components);
        keepDependencies(refs, runtime.path("bom-ref").asText());
        Files.writeString(tree.resolve("sbom.cdx.json"), json.writeValueAsString(sbom) + "\n");
        Files.writeString(tree.resolve("THIRD-PARTY.md"), list(shipped, runtime));
    }

    /** The SBOM's entries of the shipped jars, by the jar's name. A jar that the SBOM lacks must not be shipped. */
    private Map<String, JsonNode> shipped() throws IOException {
        Map<String, JsonNode> known = new TreeMap<>();
        known.put(
                jar(sbom.path("metadata").path("component")),
                sbom.path("metadata").path("component"));
        sbom.path("components").forEach(part -> known.put(jar(part), part));
        Map<String, JsonNode> shipped = new TreeMap<>();
        for (String jar : Files.readAllLines(tree.resolve("lib/class-path"))) {
            JsonNode part = known.get(jar);
            if (part == null) {
                throw new IOException(
                        "lib/" + jar
                                + " is not in app/target/sbom.json, which Maven makes when it is not offline: run ./comporta build");
            }
            if (!part.equals(sbom.path("metadata").path("component"))) {
                shipped.put(jar, part);
            }
        }
        return shipped;
    }

    private static String jar(JsonNode part) {
        Matcher classifier = CLASSIFIER.matcher(part.path("purl").asText());
        return part.path("name").asText() + "-" + part.path("version").asText()
                + (classifier.find() ? "-" + classifier.group(1) : "") + ".jar";
    }

    private ObjectNode runtime() throws IOException {
        Properties release = new Properties();
        release.load(new StringReader(Files.readString(tree.resolve("runtime/release"))));
        String version = release.getProperty("JAVA_VERSION").replace("\"", "");
        ObjectNode runtime = json.createObjectNode()
                .put("type", "platform")
                .put("bom-ref", "openjdk-" + version)
                .put("name", "OpenJDK")
                .put("version", version)
                .put("description", "The Java runtime in runtime/, with the modules that Comporta uses")
                .put("cpe", "cpe:2.3:a:oracle:openjdk:" + version + ":*:*:*:*:*:*:*");
        runtime.putArray("licenses").addObject().put("expression", "GPL-2.0-only WITH Classpath-exception-2.0");
        return runtime;
    }

    private void keepDependencies(Set<String> refs, String runtime) {
        ArrayNode kept = json.createArrayNode();
        String top = sbom.path("metadata").path("component").path("bom-ref").asText();
        for (JsonNode dependency : sbom.path("dependencies")) {
            String ref = dependency.path("ref").asText();
            if (refs.contains(ref)) {
                ArrayNode on = json.createArrayNode();
                dependency.path("dependsOn").forEach(each -> {
                    if (refs.contains(each.asText())) {
                        on.add(each);
                    }
                });
                if (ref.equals(top)) {
                    on.add(runtime);
                }
                ((ObjectNode) dependency).set("dependsOn", on);
                kept.add(dependency);
            }
        }
        kept.addObject().put("ref", runtime).putArray("dependsOn");
        sbom.set("dependencies", kept);
    }

    private String list(Map<String, JsonNode> shipped, JsonNode runtime) throws IOException {
        StringBuilder text = new StringBuilder("""
                # Parts of others

                Comporta itself is under the Apache License 2.0 (LICENSE). It comes with these parts, each under its own
                licence. sbom.cdx.json lists the same in CycloneDX, with hashes. Licence texts and notices that a jar carries
                are in licenses/; those of the Java runtime are in runtime/legal/.

                | part | version | licence | texts |
                | --- | --- | --- | --- |
                """);
        text.append("| %s | %s | %s | runtime/legal/ |%n"
                .formatted(
                        runtime.path("name").asText(), runtime.path("version").asText(), licences(runtime)));
        for (Map.Entry<String, JsonNode> each : shipped.entrySet()) {
            JsonNode part = each.getValue();
            if (!part.path("group").asText().equals(OURS)) {
                String directory = each.getKey().replaceAll("\\.jar$", "");
                text.append("| %s:%s | %s | %s | %s |%n"
                        .formatted(
                                part.path("group").asText(),
                                part.path("name").asText(),
                                part.path("version").asText(),
                                licences(part),
                                extract(each.getKey(), directory) ? "licenses/" + directory + "/" : ""));
            }
        }
        return text.toString();
    }

    private static String licences(JsonNode part) throws IOException {
        List<String> names = new ArrayList<>();
        for (JsonNode each : part.path("licenses")) {
            JsonNode licence = each.path("license");
            names.add(Stream.of(each.path("expression"), licence.path("id"), licence.path("name"))
                    .map(JsonNode::asText)
                    .filter(name -> !name.isEmpty())
                    .findFirst()
                    .orElse("?"));
        }
        if (names.isEmpty() || names.contains("?")) {
            throw new IOException("the licence of " + part.path("purl").asText() + " is not known");
        }
        return String.join(" or ", names);
    }

    /** @return whether the jar has any */
    private boolean extract(String jar, String directory) throws IOException {
        Path into = tree.resolve("licenses").resolve(directory);
        try (ZipFile zip = new ZipFile(tree.resolve("lib").resolve(jar).toFile())) {
            List<String> texts = zip.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .filter(name -> LICENCE_FILE.matcher(name).matches())
                    .filter(name -> !name.toLowerCase(Locale.ROOT).endsWith(".class"))
                    .sorted()
                    .toList();
            for (String name : texts) {
                Files.createDirectories(into);
                Path file = into.resolve(name.substring(name.lastIndexOf('/') + 1));
                try (var in = zip.getInputStream(zip.getEntry(name))) {
                    Files.write(file, in.readAllBytes());
                }
            }
            return !texts.isEmpty();
        }
    }
}
