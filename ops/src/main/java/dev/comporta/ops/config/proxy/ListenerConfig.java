package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;

/** A port that clients connect to. Routes refer to it by its name. */
public record ListenerConfig(String name, String address, int port, EntranceConfig entrance) {
    /** The name of the listener that listen_addr and listen_port describe. */
    public static final String MAIN = "main";

    private static final Key<String> NAME = Key.required("name", ValueTypes.identifier("a name for the listener"));
    private static final Key<String> ADDR = Key.of("addr", ValueTypes.text("an address to listen on"), "0.0.0.0");
    private static final Key<Integer> PORT = Key.required("port", ValueTypes.listeningPort());

    static final Schema SCHEMA = Schema.of(NAME, ADDR, PORT).plus(EntranceConfig.SCHEMA);

    static ListenerConfig read(Section section) {
        return new ListenerConfig(
                section.get(NAME), section.get(ADDR), section.get(PORT), EntranceConfig.read(section));
    }
}
