package dev.comporta.lease;

import dev.comporta.lease.ModelSetting.Fault;
import dev.comporta.lease.ModelSetting.Trait;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.pool.lease.LeasePort.Patience;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Each thing that can happen next: first what an instance does by itself, last what happens to the store. Nothing is left out: a message may be carried out and its answer lost, be carried out
 * long after it was given up, or never.
 */
enum ModelMove {
    WANTS("wants a connection") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.isAwake() && w.hasAppetite(p);
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.ask(Patience.IN_LINE);
            w.takeTurn(p);
        }
    },
    WANTS_AT_ONCE("wants a connection, at once or not at all") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return w.setting.has(Trait.AT_ONCE) && p.isAwake() && w.hasAppetite(p);
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.ask(Patience.AT_ONCE);
            w.takeTurn(p);
        }
    },
    WITHDRAWS("does not want it any more") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return !w.pressing && p.isAwake() && p.account().asks.line > 0;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.account().withdraw(1);
            w.takeTurn(p);
        }
    },
    CLOSES("closes a connection") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return !w.pressing && p.isAwake() && p.account().usable() > 0;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.account().giveBack(1);
            w.takeTurn(p);
        }
    },
    CLOSES_AT_LAST("closes a connection that has outlived its lease") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.isAwake() && p.outlived > 0;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.closeOutlived(1);
            w.takeTurn(p);
        }
    },
    IS_DONE("is done with a connection") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return w.pressing && p.isAwake() && p.busy() > 0 && w.isIdlenessSeen(p);
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.done();
            w.takeTurn(p);
        }
    },
    USES("uses an idle connection") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return w.pressing && p.isAwake() && p.idle > 0 && w.isIdlenessSeen(p);
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.idle--;
            w.takeTurn(p);
        }
    },
    CALLS("calls") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.isAwake() && w.mayCall(p);
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.send(p);
            if (p.cut || !w.storeUp) {
                w.giveUp(p);
                return;
            }
            if (w.apart && w.setting.has(Trait.CROSSING)) {
                p.draft = ModelDraft.of(w);
                return;
            }
            w.carryOut(p);
            if (!w.setting.has(Trait.CROSSING)) {
                w.hear(p);
            }
        }
    },
    CALLS_AND_WAITS("calls, and the answer takes its time", Fault.LOSS) {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return !w.setting.has(Trait.CROSSING) && w.storeUp && !p.cut && p.isAwake() && w.mayCall(p);
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.send(p);
            w.carryOut(p);
        }
    },
    CALLS_SLOWLY("calls, and the call takes its time", Fault.GHOST) {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return w.storeUp && !p.cut && p.isAwake() && w.mayCall(p);
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.send(p);
        }
    },
    PAUSES("pauses", Fault.PAUSE) {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.isAwake();
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.turn = null;
            p.paused = true;
        }
    },
    READS("reads the book") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return w.apart && w.storeUp && !p.cut && p.isAwake() && p.request != null && p.draft == null;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.draft = ModelDraft.of(w);
        }
    },
    IS_HEARD("has its call carried out") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return w.storeUp && p.request != null && (!w.apart || p.draft != null);
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.carryOut(p);
        }
    },
    HEARS("hears the answer") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.isAwake() && p.reply != null;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.hear(p);
        }
    },
    HEARS_NOTE("hears an announcement") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.isAwake() && p.note != null;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.hearNote(p);
        }
    },
    LOSES_ANSWER("loses the answer", Fault.LOSS) {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.isAwake() && p.reply != null;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.giveUp(p);
        }
    },
    LOSES_NOTE("loses an announcement", Fault.LOSS) {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.note != null;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.note = null;
        }
    },
    FINDS_LOST("finds its call lost") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.isAwake() && p.account().inFlight != null && p.request == null && p.reply == null;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.giveUp(p);
        }
    },
    GIVES_UP("gives up a call that is still on its way") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.isAwake() && p.request != null && p.ghost == null;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.becomesGhost();
            w.giveUp(p);
        }
    },
    GHOST_IS_HEARD("has a call carried out that was given up") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return w.storeUp && p.ghost != null;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            LeaseCall ghost = Objects.requireNonNull(p.ghost);
            ModelDraft draft = p.ghostDraft;
            p.ghost = null;
            p.ghostDraft = null;
            if (draft == null) {
                w.decide(p, ghost);
            } else {
                w.write(p, ghost, draft);
            }
        }
    },
    CRASHES("crashes", Fault.CRASH) {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.account != null;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            if (p.request != null) {
                p.becomesGhost();
            }
            p.vanish();
        }
    },
    LEAVES("leaves", Fault.LEAVE) {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.isAwake() && w.storeUp && !p.cut && p.account().form != LeaseCall.Form.JOIN;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            LeaseCall farewell = p.account().farewell(w.now);
            p.vanish();
            w.decide(p, farewell);
        }
    },
    STARTS("starts again") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.account == null;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.start(p.nextIncarnation);
        }
    },
    WAKES("wakes") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.paused;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.paused = false;
        }
    },
    IS_CUT("is cut off from the store", Fault.CUT) {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return !p.cut;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.cut = true;
            p.note = null;
            w.giveUpIfWaiting(p);
        }
    },
    IS_REACHED("can reach the store again") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return p.cut;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            p.cut = false;
        }
    },
    STORE_FORGETS("the store is restarted empty", Fault.EMPTY) {
        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.restart(new LeaseBook(w.pressing));
        }
    },
    REPLICA_FOLLOWS("a replica without the last call takes over", Fault.STALE) {
        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.restart(w.replica.copy());
        }
    },
    STORE_GOES("nobody can reach the store", Fault.OUTAGE) {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return w.isFirst(p) && w.storeUp;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.storeUp = false;
            for (ModelPeer each : w.peers) {
                each.note = null;
                w.giveUpIfWaiting(each);
            }
        }
    },
    STORE_RETURNS("the store can be reached again") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return w.isFirst(p) && !w.storeUp;
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.storeUp = true;
        }
    },
    TIME_PASSES("time passes") {
        @Override
        boolean possible(ModelWorld w, ModelPeer p) {
            return w.isFirst(p) && !w.isSomethingDue();
        }

        @Override
        void make(ModelWorld w, ModelPeer p) {
            w.now += ModelWorld.TICK;
        }
    };

    static final ModelMove[] ALL = values();

    final @Nullable Fault fault;
    private final String what;

    ModelMove(String what) {
        this(what, null);
    }

    ModelMove(String what, @Nullable Fault fault) {
        this.what = what;
        this.fault = fault;
    }

    /** What happens to the store is told of the first instance, once. */
    boolean possible(ModelWorld w, ModelPeer p) {
        return w.isFirst(p);
    }

    abstract void make(ModelWorld w, ModelPeer p);

    /** What an instance may do in its own turn: see {@link ModelWorld#turn}. */
    boolean isOwn() {
        return compareTo(PAUSES) <= 0;
    }

    String told(ModelPeer p) {
        return compareTo(STORE_FORGETS) < 0 ? p.name + " " + what : what;
    }
}
