package dev.comporta.standin.engine.ast;

/** A name of up to three parts; omitted parts are empty. */
public record ObjectName(String database, String schema, String name) {
    public boolean isTemporary() {
        return name.startsWith("#");
    }

    /** The name as the client wrote it, for messages. */
    @Override
    public String toString() {
        if (!database.isEmpty()) {
            return database + "." + schema + "." + name;
        }
        return schema.isEmpty() ? name : schema + "." + name;
    }
}
