package dev.comporta.app.command;

import dev.comporta.app.admin.AdminAddress;
import dev.comporta.app.admin.ApiClient;
import dev.comporta.app.admin.Trust;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The common options of the commands that talk to a running instance. */
final class ApiOptions {
    /** A variable, because everybody on the machine can read a process's command line. */
    static final String TOKEN = "COMPORTA_ADMIN_TOKEN";

    /** The exit code when an instance can't be reached. */
    static final int UNAVAILABLE = 3;

    static final String DEFAULT_ADDRESS = "localhost:8080";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Has the token, proxy.admin.token (default: the variable " + TOKEN + ").")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file with the certificates to trust at https:// addresses.")
    private @Nullable Path ca;

    @Option(names = "--insecure", description = "Trust any certificate at https:// addresses.")
    private boolean insecure;

    @Mixin
    @SuppressWarnings("unused") // picocli handles it
    private HelpOption help = new HelpOption();

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli before the call
    private CommandSpec command;

    private final UnaryOperator<@Nullable String> environment;

    /** @param environment the environment variables of the process */
    ApiOptions(UnaryOperator<@Nullable String> environment) {
        this.environment = environment;
    }

    ApiClient client(Duration timeout) {
        return new ApiClient(token(), tls(), timeout);
    }

    AdminAddress address(String text) {
        try {
            return AdminAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw misspelt(String.valueOf(e.getMessage()));
        }
    }

    private String token() {
        String token =
                tokenFile == null ? environment.apply(TOKEN) : read(tokenFile).strip();
        if (token == null || token.isEmpty()) {
            throw misspelt("no token: name a file with --token-file, or set " + TOKEN + ".");
        }
        if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw misspelt("the token has characters that are not allowed in a token, such as spaces or line breaks.");
        }
        return token;
    }

    private String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw misspelt("can't read the token from " + file + ": " + e);
        }
    }

    private @Nullable SSLContext tls() {
        if (insecure && ca != null) {
            throw misspelt("--insecure trusts any certificate: remove it or --ca.");
        }
        try {
            return insecure ? Trust.any() : ca == null ? null : Trust.of(ca);
        } catch (IOException e) {
            throw misspelt(String.valueOf(e.getMessage()));
        }
    }

    /** Ends the command with exit code 2. */
    ParameterException misspelt(String problem) {
        return new ParameterException(commandLine(), problem);
    }

    private CommandLine commandLine() {
        return command.commandLine();
    }

    PrintWriter out() {
        return commandLine().getOut();
    }

    PrintWriter err() {
        return commandLine().getErr();
    }
}
