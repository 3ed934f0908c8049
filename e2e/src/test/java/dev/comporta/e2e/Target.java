package dev.comporta.e2e;

/** Where a client connects, and as whom: the stand-in, a proxy before it, or a real SQL Server. */
public record Target(String host, int port, String user, String password, String database) {
    public Target withPassword(String other) {
        return new Target(host, port, user, other, database);
    }

    public Target withDatabase(String other) {
        return new Target(host, port, user, password, other);
    }

    @Override
    public String toString() {
        return user + "@" + host + ":" + port + "/" + database;
    }
}
