package dev.comporta.demo;

import dev.comporta.app.log.Logs;
import picocli.CommandLine;

/** Starts the demo, which has a class path of its own: the product's has neither the stand-in nor a driver. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        int code = new CommandLine(new DemoCommand()).execute(arguments);
        Logs.flush();
        System.exit(code);
    }
}
