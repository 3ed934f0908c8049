package dev.comporta.standin.engine.store;

import dev.comporta.standin.engine.ast.Statement;
import java.util.List;

/** A procedure made by CREATE PROCEDURE. */
public record Procedure(
        int id,
        String database,
        String schema,
        String name,
        List<Statement.ParameterDef> parameters,
        List<Statement> body,
        boolean quotedIdentifier,
        String text) {}
