package dev.comporta.console;

import dev.comporta.console.system.Procedures;
import dev.comporta.console.table.Catalog;
import java.time.InstantSource;

/** Everything that a text can use: views, procedures and commands, the user's session, and the time. */
record Surface(
        Catalog catalog, Procedures procedures, Operator operator, ConsoleSession session, InstantSource clock) {}
