package dev.comporta.pool;

/** Answers from inside the order, as a carrier on the same thread may. */
final class InlineAnswers implements Observer.Reflexes {
    /** Orders that cause orders must end somewhere. */
    private static final int DEEPEST = 6;

    private final World world;
    /** How much is answered so: 0 none, 1 some, 2 all. */
    private final int share;

    private int depth;

    InlineAnswers(World world, int share) {
        this.world = world;
        this.share = share;
    }

    private boolean now() {
        return share > 0 && depth < DEEPEST && (share == 2 || world.dice().oneIn(2));
    }

    private void inline(Runnable answer) {
        depth++;
        answer.run();
        depth--;
    }

    @Override
    public void meanwhile() {
        if (share > 0 && depth < DEEPEST && world.dice().oneIn(12)) {
            inline(world::meddle);
        }
    }

    @Override
    public void afterOpen(Link link) {
        if (now()) {
            inline(() -> world.answerOpen(link));
        }
    }

    @Override
    public void afterClose(Link link) {
        if (now()) {
            inline(() -> world.closed(link));
        }
    }

    @Override
    public void afterCheck(Link link) {
        if (now()) {
            inline(() -> world.answerCheck(link));
        }
    }

    @Override
    public void afterAttach(Client client, Link link) {
        if (now() && world.dice().oneIn(4)) {
            inline(() -> world.release(link));
        }
    }

    @Override
    public void afterRefuse(Client client) {
        if (now() && world.dice().oneIn(4)) {
            inline(() -> world.request(client, client.pool));
        }
    }
}
