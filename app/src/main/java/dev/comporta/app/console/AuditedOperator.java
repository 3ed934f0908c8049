package dev.comporta.app.console;

import dev.comporta.console.ConsoleSession;
import dev.comporta.console.Operator;
import dev.comporta.console.OperatorException;
import dev.comporta.console.sql.Command;
import dev.comporta.console.sql.OptionChange;
import dev.comporta.ops.work.BackgroundWork;
import dev.comporta.proxy.watch.ClientLines;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a log line and an event for every command: the administrator, the address, the command and its outcome. Never a
 * secret.
 */
final class AuditedOperator implements Operator {
    /** A separate logger, so that audit lines can go to a separate destination. */
    static final String LOGGER = "dev.comporta.audit";

    private static final Logger log = LoggerFactory.getLogger(LOGGER);

    private interface Action {
        String run() throws OperatorException;
    }

    private final Operator to;
    private final EventLog events;
    private final SettingNames names = new SettingNames();
    private final Runnable after;

    /** @param after runs after each command, successful or not */
    AuditedOperator(Operator to, EventLog events, Runnable after) {
        this.to = to;
        this.events = events;
        this.after = after;
    }

    private String audited(ConsoleSession by, String command, Action action) throws OperatorException {
        try {
            String answer = BackgroundWork.awaiting(action::run);
            report(by, command, "done");
            return answer;
        } catch (OperatorException e) {
            report(by, command, "refused: " + firstLine(String.valueOf(e.getMessage())));
            throw e;
        } catch (RuntimeException e) {
            report(by, command, "failed: " + e);
            throw e;
        } finally {
            after.run();
        }
    }

    private void report(ConsoleSession by, String command, String outcome) {
        String login = by.facts().login();
        String from = by.address().isEmpty() ? by.facts().hostName() : by.address();
        String line = "console command by %s from %s (%s): %s: %s"
                .formatted(login, from, by.facts().application(), command, outcome);
        log.atInfo()
                .addKeyValue(ClientLines.CLIENT, from)
                .addKeyValue(ClientLines.LOGIN, login)
                .addKeyValue(ClientLines.APPLICATION, by.facts().application())
                .addKeyValue("command", command)
                .addKeyValue("outcome", outcome)
                .log("{}", line);
        by.audited(line);
        events.add(Event.Kind.COMMAND, "", from, login, command + ": " + outcome);
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    @Override
    public Set<Command.Kind> offered() {
        return to.offered();
    }

    @Override
    public String pause(ConsoleSession by, @Nullable String bucket) throws OperatorException {
        return audited(by, bucket == null ? "PAUSE" : "PAUSE " + bucket, () -> to.pause(by, bucket));
    }

    @Override
    public String resume(ConsoleSession by, @Nullable String bucket) throws OperatorException {
        return audited(by, bucket == null ? "RESUME" : "RESUME " + bucket, () -> to.resume(by, bucket));
    }

    @Override
    public String reconnect(ConsoleSession by, String bucket) throws OperatorException {
        return audited(by, "RECONNECT " + bucket, () -> to.reconnect(by, bucket));
    }

    @Override
    public String kill(ConsoleSession by, String client) throws OperatorException {
        return audited(by, "KILL " + client, () -> to.kill(by, client));
    }

    @Override
    public String reload(ConsoleSession by) throws OperatorException {
        return audited(by, "RELOAD", () -> to.reload(by));
    }

    @Override
    public String drain(ConsoleSession by) throws OperatorException {
        return audited(by, "DRAIN", () -> to.drain(by));
    }

    @Override
    public String set(ConsoleSession by, String key, String value) throws OperatorException {
        return audited(by, "SET " + key + " = " + shown(key, value), () -> to.set(by, key, value));
    }

    @Override
    public String createServer(ConsoleSession by, String name, @Nullable String wrapper, Map<String, String> options)
            throws OperatorException {
        String shown = options.entrySet().stream()
                .map(option -> option.getKey() + " " + shown(option.getKey(), option.getValue()))
                .collect(Collectors.joining(", "));
        return audited(
                by,
                "CREATE SERVER " + name + " OPTIONS (" + shown + ")",
                () -> to.createServer(by, name, wrapper, options));
    }

    @Override
    public String alterServer(ConsoleSession by, String name, List<OptionChange> changes) throws OperatorException {
        String shown = changes.stream()
                .map(change -> change.action() == OptionChange.Action.DROP
                        ? "DROP " + change.key()
                        : change.action() + " " + change.key() + " " + shown(change.key(), change.value()))
                .collect(Collectors.joining(", "));
        return audited(
                by, "ALTER SERVER " + name + " OPTIONS (" + shown + ")", () -> to.alterServer(by, name, changes));
    }

    @Override
    public String dropServer(ConsoleSession by, String name, boolean ifExists) throws OperatorException {
        return audited(by, "DROP SERVER " + name, () -> to.dropServer(by, name, ifExists));
    }

    /** Masks a value that may be a secret, even if its key is misspelt. */
    private String shown(String key, String value) {
        return names.mayBeSecret(key) ? "'***'" : "'" + value + "'";
    }
}
