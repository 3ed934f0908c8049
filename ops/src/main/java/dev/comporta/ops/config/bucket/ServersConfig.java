package dev.comporta.ops.config.bucket;

import dev.comporta.ops.config.value.HostPort;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.ListKey;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The addresses of a bucket's database server, before and after a failover: {@code host}, or {@code hosts}. */
final class ServersConfig {
    private static final Key<String> HOST =
            Key.derived("host", ValueTypes.text("the database server's host name"), "needed unless hosts is given");
    private static final ListKey<HostPort> HOSTS =
            ListKey.of("hosts", ValueTypes.host(), "the one named by host, and failover_partner");
    private static final Key<HostPort> FAILOVER_PARTNER = Key.derived("failover_partner", ValueTypes.host(), "none");
    private static final Key<Integer> PORT = Key.of("port", ValueTypes.port(), "1433");

    static final Schema SCHEMA = Schema.of(HOST, HOSTS, FAILOVER_PARTNER, PORT);

    private ServersConfig() {}

    /** The servers in order of preference, each with its port: at least one. */
    static List<HostPort> read(Section section) {
        int port = section.get(PORT);
        List<HostPort> servers = new ArrayList<>();
        if (section.has(HOSTS)) {
            servers.addAll(section.list(HOSTS));
            refuseBeside(section, HOST);
            refuseBeside(section, FAILOVER_PARTNER);
        } else {
            String host = section.find(HOST);
            if (host != null) {
                servers.add(new HostPort(host, 0));
            }
            HostPort partner = section.find(FAILOVER_PARTNER);
            if (partner != null) {
                servers.add(partner);
            }
        }
        List<HostPort> complete =
                servers.stream().map(server -> server.withPort(port)).toList();
        refuseTwice(section, complete);
        if (!section.has(HOSTS) && !section.has(HOST)) {
            section.error(
                    HOST.name(),
                    "The key is missing.",
                    "Add 'host:' with " + HOST.type().expectation() + ".");
        } else if (section.has(HOSTS) && complete.isEmpty()) {
            section.error(HOSTS.name(), "It names no server.", "Name at least one, or use 'host'.");
        }
        return complete.isEmpty() ? List.of(new HostPort("localhost", port)) : complete;
    }

    private static void refuseBeside(Section section, Key<?> other) {
        if (section.has(other)) {
            section.error(
                    other.name(),
                    "It contradicts hosts, which names all servers of the bucket.",
                    "Put it into hosts, in order of preference, or remove hosts.");
        }
    }

    private static void refuseTwice(Section section, List<HostPort> servers) {
        Set<HostPort> seen = new HashSet<>();
        for (HostPort server : servers) {
            if (!seen.add(server)) {
                section.error(
                        (section.has(HOSTS) ? HOSTS : FAILOVER_PARTNER).name(),
                        "It names " + server + " twice.",
                        "Name each server of the bucket once.");
            }
        }
    }
}
