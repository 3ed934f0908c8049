package dev.comporta.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network namespace for a proxy, with one link to its clients and another to its servers, which are both this process.
 * A link can be cut so that packets are lost without a word, as on a network: neither side is told that the link is down.
 * Needs root and {@code ip}.
 */
final class ProxyNetwork implements AutoCloseable {
    /** Nobody's: a frame that is sent to it is dropped by whoever gets it. */
    private static final String NOBODY = "02:00:00:00:00:01";

    enum Link {
        /** 198.18.0.0/15 is kept for tests of networks: no route of this machine leads there. */
        CLIENTS('c', "198.18"),
        SERVERS('s', "198.19");

        private final char letter;
        private final String network;

        Link(char letter, String network) {
            this.letter = letter;
            this.network = network;
        }
    }

    /** By this process, so that each has a name and addresses of its own. */
    private static final AtomicInteger made = new AtomicInteger();

    private final String name;
    private final int subnet;

    private ProxyNetwork(String name, int subnet) {
        this.name = name;
        this.subnet = subnet;
    }

    static ProxyNetwork create() throws IOException {
        long pid = ProcessHandle.current().pid();
        int number = made.getAndIncrement();
        ProxyNetwork network = new ProxyNetwork("comporta" + pid + "-" + number, (int) ((pid + 41L * number) % 256));
        network.close(); // what a process of the same number left that was killed
        try {
            ip("netns", "add", network.name);
            network.inside("link", "set", "lo", "up");
            for (Link link : Link.values()) {
                network.add(link);
            }
        } catch (IOException e) {
            network.close();
            throw e;
        }
        return network;
    }

    private void add(Link link) throws IOException {
        ip("link", "add", here(link), "type", "veth", "peer", "name", there(link), "netns", name);
        ip("address", "add", address(link) + "/30", "dev", here(link));
        ip("link", "set", here(link), "up");
        inside("address", "add", proxyAddress(link) + "/30", "dev", there(link));
        inside("link", "set", there(link), "up");
    }

    /** This process's own address on the link. */
    String address(Link link) {
        return link.network + '.' + subnet + ".1";
    }

    String proxyAddress(Link link) {
        return link.network + '.' + subnet + ".2";
    }

    private String here(Link link) {
        return "cp" + link.letter + subnet;
    }

    private String there(Link link) {
        return "in" + link.letter + subnet;
    }

    /** What a shell does to have the proxy that it becomes live in the namespace. */
    String shell() {
        return "exec ip netns exec " + name + " \"$0\" \"$@\"";
    }

    void cut(Link link) throws IOException {
        ip("neighbour", "replace", proxyAddress(link), "lladdr", NOBODY, "dev", here(link), "nud", "permanent");
        inside("neighbour", "replace", address(link), "lladdr", NOBODY, "dev", there(link), "nud", "permanent");
    }

    void mend(Link link) throws IOException {
        inside("neighbour", "delete", address(link), "dev", there(link));
        ip("neighbour", "delete", proxyAddress(link), "dev", here(link));
    }

    private void inside(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("-netns", name));
        all.addAll(List.of(arguments));
        ip(all.toArray(String[]::new));
    }

    private static void ip(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The links go with the namespace, as soon as no process is in it any more. */
    @Override
    public void close() throws IOException {
        for (Link link : Link.values()) {
            if (Files.exists(Path.of("/sys/class/net", here(link)))) {
                ip("link", "delete", here(link));
            }
        }
        if (Files.exists(Path.of("/var/run/netns", name))) {
            ip("netns", "delete", name);
        }
    }
}
