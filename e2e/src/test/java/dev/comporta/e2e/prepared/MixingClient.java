package dev.comporta.e2e.prepared;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.TypeInfo;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A client that executes its prepared statements by handle, prepares others in their place, and now and then names a handle
 * that it does not have. It knows what each of its handles stands for, and so what every answer must be.
 */
final class MixingClient implements AutoCloseable {
    /** Texts that clients choose from: more than one has at a time, so that a number means something else to each. */
    private static final int TEXTS = 16;

    private static final int HANDLES = 4;
    private static final int[] CALLS = {1, 2, 8, 64, 64};
    private static final TypeInfo INT = TypeInfo.intN(4);

    private final RawClient client;
    private final Random random;
    /** Which text each handle stands for. */
    private final Map<Integer, Integer> texts = new HashMap<>();

    private int lastGiven;

    MixingClient(int port, long seed) throws IOException {
        client = RawClient.loggedIn(port);
        random = new Random(seed);
        for (int i = 0; i < HANDLES; i++) {
            prepare(null);
        }
    }

    /** @return how many executions there were */
    int execute() throws IOException {
        if (random.nextInt(50) == 0) {
            change();
        }
        List<Integer> mine = List.copyOf(texts.keySet());
        int count = CALLS[random.nextInt(CALLS.length)];
        RpcCall[] calls = new RpcCall[count];
        int[] handles = new int[count];
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            handles[i] = random.nextInt(100) == 0 ? notMine() : mine.get(random.nextInt(mine.size()));
            values[i] = random.nextInt();
            RpcParameter[] parameters = {RpcParameter.of("", INT, handles[i]), RpcParameter.of("", INT, values[i])};
            calls[i] = random.nextInt(8) == 0
                    ? RpcCall.of("sp_execute", parameters)
                    : RpcCall.of(SystemProcedure.EXECUTE, parameters);
        }
        ByteBuf body = Unpooled.buffer();
        RpcRequest.of(AllHeaders.AUTOCOMMIT, calls).write(body, RequestFormat.of(TdsVersion.V7_4));
        client.send(PacketType.RPC, 0, body);
        ExecutionAnswers answers = new ExecutionAnswers(client.response());
        for (int i = 0; i < count; i++) {
            Integer text = texts.get(handles[i]);
            if (text == null) {
                answers.noSuchHandle(handles[i]);
            } else {
                answers.row(values[i], text);
            }
        }
        answers.end();
        return count;
    }

    /** A number that others have and this client has not, or had. */
    private int notMine() {
        int number;
        do {
            number = 1 + random.nextInt(lastGiven + 5);
        } while (texts.containsKey(number));
        return number;
    }

    /** Gives up a handle, in any of the ways there are, and prepares something else. */
    private void change() throws IOException {
        List<Integer> mine = List.copyOf(texts.keySet());
        int old = mine.get(random.nextInt(mine.size()));
        switch (random.nextInt(3)) {
            case 0 -> prepare(old);
            case 1 -> {
                texts.remove(old);
                quiet(client.answerTo(RpcCall.of(SystemProcedure.UNPREPARE, RpcParameter.of("", INT, old))));
                prepare(null);
            }
            default -> {
                texts.remove(old);
                quiet(client.answerTo("EXEC sp_unprepare " + old + ";"));
                prepare(null);
            }
        }
    }

    /** @param old a handle that the new one takes the place of */
    private void prepare(@Nullable Integer old) throws IOException {
        int text = random.nextInt(TEXTS);
        String sql = "SELECT @p AS p, " + text + " AS text";
        List<RpcParameter> parameters = new ArrayList<>(List.of(
                RpcParameter.output("", INT, old),
                RpcParameter.of("", TypeInfo.nvarchar(40), "@p int"),
                RpcParameter.of("", TypeInfo.nvarchar(400), sql)));
        int procedure = SystemProcedure.PREPARE;
        if (old != null || random.nextBoolean()) {
            procedure = SystemProcedure.PREP_EXEC;
            parameters.add(RpcParameter.of("", INT, 7));
        }
        List<String> tokens = quiet(client.answerTo(RpcCall.of(procedure, parameters.toArray(RpcParameter[]::new))));
        if (procedure == SystemProcedure.PREP_EXEC && !tokens.contains("ROW [7, " + text + "]")) {
            throw new AssertionError("another row than of text " + text + ": " + tokens);
        }
        if (old != null) {
            texts.remove(old);
        }
        lastGiven = handle(tokens);
        if (texts.put(lastGiven, text) != null) {
            throw new AssertionError("handle " + lastGiven + " was given twice");
        }
    }

    private static int handle(List<String> tokens) {
        String value = tokens.stream()
                .filter(token -> token.startsWith("RETURNVALUE 0"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no handle in " + tokens));
        return Integer.parseInt(value.substring(value.indexOf('=') + 2));
    }

    private static List<String> quiet(List<String> tokens) {
        if (tokens.stream().anyMatch(token -> token.startsWith("ERROR"))) {
            throw new AssertionError(tokens);
        }
        return tokens;
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
