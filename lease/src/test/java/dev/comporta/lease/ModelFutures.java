package dev.comporta.lease;

import dev.comporta.lease.SlotAccount.Standing;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.pool.lease.LeasePort.Patience;

/** The promises about what becomes of a fleet. */
final class ModelFutures {
    /** Rounds in which all that was begun comes to its end. */
    private static final int QUIET = 6;

    /** Rounds for each instance within which everybody has had its turn. */
    private static final int TURNS = 8;

    private ModelFutures() {}

    /** Who has a connection is done with it and closes it. */
    static ModelFuture allAreServed(boolean announcementsAreLost) {
        return new ModelFuture("all are served, are in touch, and give everything back") {
            @Override
            void round(ModelWorld w) {
                for (int i = 0;
                        i < 2;
                        i++) { // a lease may be as short as a tick: who is granted something must use it now
                    for (ModelPeer p : w.peers) {
                        if (p.account != null) {
                            hearNote(w, p, announcementsAreLost);
                            closeAll(p);
                            callAndHear(w, p);
                        }
                    }
                }
                pass(w);
            }

            @Override
            boolean isKept(ModelWorld w) {
                for (ModelPeer p : w.peers) {
                    SlotAccount a = p.account;
                    if (a != null
                            && (a.held() + a.asks.line + a.asks.withdrawing > 0 || a.standing != Standing.IN_TOUCH)) {
                        return false;
                    }
                }
                return w.book.entries.stream().allMatch(e -> e.held() == 0);
            }
        };
    }

    private static void closeAll(ModelPeer p) {
        p.idle = 0;
        p.closeOutlived(p.outlived);
        closeUsable(p);
    }

    private static void closeUsable(ModelPeer p) {
        int usable = p.account().usable();
        if (usable > 0) {
            p.account().giveBack(usable);
        }
    }

    private static boolean isMadeUpFor(ModelWorld w, int slots) {
        int outlived = 0;
        for (ModelPeer p : w.peers) {
            outlived += p.outlived;
        }
        return slots <= Math.max(w.setting.limit(), outlived);
    }

    private static int open(ModelWorld w) {
        int open = 0;
        for (ModelPeer p : w.peers) {
            SlotAccount a = p.account;
            open += a == null ? 0 : a.held();
        }
        return open;
    }

    /** What was granted is yet to be heard of, and opened then. */
    private static int granted(ModelWorld w) {
        return w.book.entries.stream().mapToInt(BookEntry::held).sum();
    }

    /** And stays there: its next call, in the next round, comes before the store can think it dead. */
    private static boolean isInTheBooks(ModelWorld w, ModelPeer p) {
        SlotAccount a = p.account();
        BookEntry e = w.book.of(p.name);
        return a.standing == Standing.IN_TOUCH
                && a.form == LeaseCall.Form.SYNC
                && a.inFlight == null
                && e != null
                && e.incarnation == a.incarnation
                && e.epoch == w.book.epoch
                && e.until > w.now
                && e.held() >= a.held();
    }

    /** Connections that outlived their lease stay open: the others have so many fewer, if need be. */
    static ModelFuture outlivedOnesAreMadeUpFor(boolean announcementsAreLost) {
        return new ModelFuture("what outlived its lease is counted, and the others have so many fewer") {
            @Override
            void round(ModelWorld w) {
                for (ModelPeer p : w.peers) {
                    if (p.account != null) {
                        hearNote(w, p, announcementsAreLost);
                        closeUsable(p);
                        want(w, p);
                        callAndHear(w, p);
                    }
                }
                pass(w);
            }

            @Override
            boolean isKept(ModelWorld w) {
                for (ModelPeer p : w.peers) {
                    if (p.account != null && !isInTheBooks(w, p)) {
                        return false;
                    }
                }
                return isMadeUpFor(w, granted(w));
            }

            @Override
            void afterwards(ModelWorld w) {
                for (int i = 0; i < QUIET; i++) {
                    round(w);
                    if (!isMadeUpFor(w, open(w))) {
                        throw new AssertionError("More are granted than what outlived its lease leaves");
                    }
                }
            }
        };
    }

    private static void hearNote(ModelWorld w, ModelPeer p, boolean isLost) {
        if (isLost) {
            p.note = null;
        } else if (p.note != null) {
            w.hearNote(p);
            w.settle();
        }
    }

    /** Connections are soon idle and stay open: whoever is in need gets one from those who do not use theirs. */
    static ModelFuture idleOnesGoToThoseInNeed(boolean announcementsAreLost) {
        return new ModelFuture("those in need are served by those with idle connections") {
            @Override
            void round(ModelWorld w) {
                for (ModelPeer p : w.peers) {
                    if (p.account != null) {
                        hearNote(w, p, announcementsAreLost);
                        p.closeOutlived(p.outlived);
                        for (int busy = p.busy(); busy > 0; busy--) {
                            p.done();
                        }
                        w.settle();
                        callAndHear(w, p);
                    }
                }
                pass(w);
            }

            @Override
            boolean isKept(ModelWorld w) {
                for (ModelPeer p : w.peers) {
                    SlotAccount a = p.account;
                    if (a != null && (a.asks.line + a.asks.withdrawing > 0 || a.standing != Standing.IN_TOUCH)) {
                        return false;
                    }
                }
                return true;
            }

            @Override
            void afterwards(ModelWorld w) {
                slotsStay(w, this);
            }
        };
    }

    /** Everybody wants all it can have, and never has an idle connection: each gets its share, and then slots stay where they are. */
    static ModelFuture allInNeedHaveTheirShare(boolean announcementsAreLost) {
        return new ModelFuture("all in need have their share") {
            @Override
            void round(ModelWorld w) {
                for (ModelPeer p : w.peers) {
                    if (p.account != null) {
                        hearNote(w, p, announcementsAreLost);
                        useAll(w, p);
                        callAndHear(w, p);
                    }
                }
                pass(w);
            }

            @Override
            boolean isKept(ModelWorld w) {
                int share = Math.min(w.setting.appetite(), w.setting.limit() / living(w));
                int held = 0;
                for (ModelPeer p : w.peers) {
                    if (p.account != null && p.account.held() < share) {
                        return false;
                    }
                    held += p.account == null ? 0 : p.account.held();
                }
                return held == Math.min(w.setting.limit(), living(w) * w.setting.appetite());
            }

            @Override
            void afterwards(ModelWorld w) {
                if (w.setting.limit() < living(w)) {
                    slotsGoRound(w, this);
                } else {
                    slotsStay(w, this);
                }
            }
        };
    }

    /** What was demanded before is given up first. */
    private static void slotsStay(ModelWorld w, ModelFuture future) {
        for (int i = 0; i < QUIET; i++) {
            future.round(w);
        }
        w.moves = 0;
        for (int i = 0; i < QUIET; i++) {
            future.round(w);
        }
        if (w.moves > 0 || !future.isKept(w)) {
            throw new AssertionError("Slots move to and fro");
        }
    }

    /** There are fewer slots than instances: each has one in its turn, and keeps it for a while. */
    private static void slotsGoRound(ModelWorld w, ModelFuture future) {
        boolean[] served = new boolean[w.peers.length];
        w.moves = 0;
        int rounds = TURNS * w.peers.length;
        for (int i = 0; i < rounds; i++) {
            future.round(w);
            for (int p = 0; p < served.length; p++) {
                served[p] |= w.peers[p].account == null || w.peers[p].account().held() > 0;
            }
        }
        for (int p = 0; p < served.length; p++) {
            if (!served[p]) {
                throw new AssertionError(w.peers[p].name + " is in need and gets nothing for ever");
            }
        }
        if (w.moves > rounds) {
            throw new AssertionError("Slots move to and fro: " + w.moves + " in " + rounds + " rounds");
        }
    }

    private static int living(ModelWorld w) {
        int living = 0;
        for (ModelPeer p : w.peers) {
            living += p.account == null ? 0 : 1;
        }
        return living;
    }

    private static void useAll(ModelWorld w, ModelPeer p) {
        SlotAccount a = p.account();
        p.idle = 0;
        p.closeOutlived(p.outlived);
        while (a.owed > 0 && a.usable() > 0) {
            a.giveBack(1); // what is demanded is given up when its client is done
        }
        want(w, p);
    }

    private static void want(ModelWorld w, ModelPeer p) {
        SlotAccount a = p.account();
        int more = w.setting.appetite() - a.held() - a.asks.line - a.asks.withdrawing;
        if (more > 0) {
            a.ask(more, Patience.IN_LINE);
            p.outstanding += more;
        }
        w.settle();
    }
}
