package dev.comporta.console;

import dev.comporta.console.sql.Command;
import dev.comporta.console.sql.SqlError;

/** Hands a command to the operator, if the login may give it. */
record CommandRun(Operator operator, ConsoleSession session) {
    String run(Command command) {
        if (!operator.offered().contains(command.kind())) {
            throw new SqlError(
                    50000,
                    command.at(),
                    command.kind().text() + " is not a command of this console. SHOW HELP lists all.");
        }
        if (!session.mayCommand()) {
            throw new SqlError(
                    262,
                    command.at(),
                    "Login '" + session.facts().login() + "' may read but not give commands. Use a login that is"
                            + " configured as an administrator.");
        }
        try {
            return carryOut(command);
        } catch (OperatorException e) {
            throw new SqlError(50000, command.at(), String.valueOf(e.getMessage()));
        }
    }

    private String carryOut(Command command) throws OperatorException {
        return switch (command) {
            case Command.Pause pause -> operator.pause(session, pause.bucket());
            case Command.Resume resume -> operator.resume(session, resume.bucket());
            case Command.Reconnect reconnect -> operator.reconnect(session, reconnect.bucket());
            case Command.Kill kill -> operator.kill(session, kill.client());
            case Command.Reload _ -> operator.reload(session);
            case Command.Drain _ -> operator.drain(session);
            case Command.SetKey set -> operator.set(session, set.key(), set.value());
            case Command.CreateServer create ->
                operator.createServer(session, create.name(), create.wrapper(), create.options());
            case Command.AlterServer alter -> operator.alterServer(session, alter.name(), alter.changes());
            case Command.DropServer drop -> operator.dropServer(session, drop.name(), drop.ifExists());
            case Command.CreateUserMapping create -> operator.createUserMapping(session, create.of(), create.options());
            case Command.AlterUserMapping alter -> operator.alterUserMapping(session, alter.of(), alter.changes());
            case Command.DropUserMapping drop -> operator.dropUserMapping(session, drop.of(), drop.ifExists());
        };
    }
}
