package dev.comporta.lease.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;

/** A call of a script on the keys of one bucket: the future of its answer, and the command that is sent. */
final class ScriptCommand extends AsyncCommand<String, String, List<Object>> {
    private final String key;

    private ScriptCommand(CommandType type, String script, int keys, String key, String... arguments) {
        super(new Command<>(
                type,
                new NestedMultiOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8)
                        .add(script)
                        .add(keys)
                        .addKey(key)
                        .addValues(arguments)));
        this.key = key;
    }

    /** Calls the script by its hash, which works if Redis has it already. */
    static ScriptCommand bySha(LeaseScript script, String key, String... arguments) {
        return new ScriptCommand(CommandType.EVALSHA, script.sha(), script.keys(), key, arguments);
    }

    static ScriptCommand whole(LeaseScript script, String key, String... arguments) {
        return new ScriptCommand(CommandType.EVAL, script.text(), script.keys(), key, arguments);
    }

    String key() {
        return key;
    }
}
