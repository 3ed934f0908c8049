package dev.comporta.proxy.listen;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;

/** Moves a channel from the loop that accepted it to the loop of its bucket. */
public final class LoopMove {
    private LoopMove() {}

    /**
     * Runs {@code then} on the target loop, with the channel registered there. The channel must not be reading. If the
     * channel ends meanwhile, {@code then} is not run.
     */
    public static void move(Channel channel, EventLoop target, Runnable then) {
        if (target.inEventLoop()) {
            then.run();
            return;
        }
        channel.deregister().addListener(left -> {
            if (!left.isSuccess() || !channel.isOpen()) {
                channel.unsafe().closeForcibly();
                return;
            }
            target.register(channel).addListener(arrived -> {
                if (arrived.isSuccess()) {
                    then.run();
                } else {
                    channel.unsafe().closeForcibly();
                }
            });
        });
    }
}
