package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.EngineSession.TransactionRequest;
import dev.comporta.standin.engine.Response;
import org.jspecify.annotations.Nullable;

/** Transaction manager requests: what SqlClient and others send in place of BEGIN TRAN and its kin. */
final class TransactionRequests {
    private TransactionRequests() {}

    static void run(TransactionRequest request, Transactions transactions, Response response) {
        switch (request) {
            case TransactionRequest.Begin begin -> begin(begin, transactions, response);
            case TransactionRequest.Commit commit -> {
                transactions.commit(response, true);
                begin(commit.next(), transactions, response);
            }
            case TransactionRequest.Rollback rollback -> {
                transactions.rollback(rollback.name(), response, true);
                begin(rollback.next(), transactions, response);
            }
            case TransactionRequest.Save save -> transactions.save(save.name());
        }
    }

    private static void begin(TransactionRequest.@Nullable Begin begin, Transactions transactions, Response response) {
        if (begin != null) {
            transactions.setIsolation(begin.isolation());
            transactions.begin(begin.name(), response, true);
        }
    }
}
