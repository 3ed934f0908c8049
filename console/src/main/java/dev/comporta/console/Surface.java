package dev.comporta.console;

import dev.comporta.console.system.Procedures;
import dev.comporta.console.table.Catalog;
import java.time.InstantSource;

/** What a text can reach: what there is to read, to call and to command, and for whom. */
record Surface(
        Catalog catalog, Procedures procedures, Operator operator, ConsoleSession session, InstantSource clock) {}
