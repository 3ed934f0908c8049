package dev.comporta.standin.engine.evaluate;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.session.EngineSettings;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Options;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.session.SessionValues;
import dev.comporta.standin.engine.type.TypedValue;
import dev.comporta.standin.engine.type.Types;
import java.nio.ByteBuffer;

/** System variables. */
final class Globals {
    static final String VERSION = "Microsoft SQL Server 2022 (RTM) - " + EngineSettings.PRODUCT_VERSION
            + " (X64) \n\tComporta stand-in over H2, not a Microsoft product\n";

    private static final String BABELFISH_VERSION = "Babelfish for PostgreSQL with SQL Server Compatibility - "
            + EngineSettings.BABELFISH_PRODUCT_VERSION + "\nComporta stand-in over H2, not a Babelfish ("
            + EngineSettings.BABELFISH_VERSION + ")\n";

    private Globals() {}

    static TypedValue value(String name, Session session, Frame frame) {
        Options options = session.options();
        SessionValues values = session.values();
        return switch (name) {
            case "@@TRANCOUNT" -> TypedValue.of(session.transactions().count());
            case "@@SPID" -> new TypedValue(Types.SMALLINT, (short) session.spid());
            case "@@ROWCOUNT" -> TypedValue.of((int) values.rowCount);
            case "@@ERROR" -> TypedValue.of(values.error());
            case "@@IDENTITY" -> new TypedValue(Types.numeric(38, 0), values.lastIdentity);
            case "@@FETCH_STATUS" -> TypedValue.of(values.fetchStatus);
            case "@@CURSOR_ROWS" -> TypedValue.of(0);
            case "@@NESTLEVEL" -> TypedValue.of(frame.nestLevel);
            case "@@OPTIONS" -> TypedValue.of(options.bits());
            case "@@LOCK_TIMEOUT" -> TypedValue.of(options.lockTimeout);
            case "@@DATEFIRST" -> new TypedValue(Types.TINYINT, (short) options.dateFirst);
            case "@@LANGUAGE" -> TypedValue.of(options.language().name());
            case "@@LANGID" ->
                new TypedValue(Types.SMALLINT, (short) options.language().id());
            case "@@TEXTSIZE" -> TypedValue.of(options.textSize);
            case "@@PROCID" -> TypedValue.of(0);
            case "@@DBTS" ->
                new TypedValue(
                        Types.varbinary(8),
                        ByteBuffer.allocate(8)
                                .putLong(session.engine().catalog().lastRowVersion())
                                .array());
            default -> server(name, session);
        };
    }

    private static TypedValue server(String name, Session session) {
        return switch (name) {
            case "@@VERSION" ->
                new TypedValue(Types.nvarchar(300), session.isBabelfish() ? BABELFISH_VERSION : VERSION);
            case "@@MICROSOFTVERSION" -> TypedValue.of(0x100003E8);
            case "@@SERVERNAME" -> TypedValue.of(session.engine().settings().serverName());
            case "@@SERVICENAME" -> TypedValue.of("MSSQLSERVER");
            case "@@MAX_PRECISION" -> new TypedValue(Types.TINYINT, (short) 38);
            case "@@MAX_CONNECTIONS" -> TypedValue.of(32767);
            case "@@CONNECTIONS" -> TypedValue.of(session.engine().openSessions());
            case "@@REMSERVER" -> new TypedValue(Types.nvarchar(128), null);
            default -> throw SqlError.undeclared(name);
        };
    }
}
