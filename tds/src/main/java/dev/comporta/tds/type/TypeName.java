package dev.comporta.tds.type;

/**
 * The name of a catalog object in TYPE_INFO: a CLR type, an XML schema collection, or a table type.
 *
 * @param assembly the assembly-qualified name of a CLR type in a result; empty otherwise
 */
public record TypeName(String database, String schema, String name, String assembly) {
    public TypeName(String database, String schema, String name) {
        this(database, schema, name, "");
    }
}
