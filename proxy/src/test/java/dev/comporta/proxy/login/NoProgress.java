package dev.comporta.proxy.login;

/** For tests of what comes after LOGIN7: nobody limits the connections before it. */
public final class NoProgress implements LoginProgress {
    @Override
    public void progressed() {}

    @Override
    public void beforeHandshake(Runnable begin) {}

    @Override
    public void ended(int kept) {}

    @Override
    public void judged() {}
}
