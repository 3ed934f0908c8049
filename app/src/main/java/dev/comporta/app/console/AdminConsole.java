package dev.comporta.app.console;

import dev.comporta.app.recent.Recent;
import dev.comporta.console.Console;
import dev.comporta.console.table.View;
import dev.comporta.lease.LeaseView;
import dev.comporta.ops.watch.Observer;
import dev.comporta.ops.work.BackgroundWork;
import dev.comporta.proxy.Proxy;
import java.util.List;
import java.util.function.Supplier;

/** Assembles the console of an instance. */
public final class AdminConsole {
    private AdminConsole() {}

    /**
     * @param database the name that administrators connect to
     * @param leases empty if slots are counted in this process
     * @param recent the recent history of the same proxy
     */
    public static Console of(
            String database,
            Proxy proxy,
            Observer observer,
            Supplier<List<LeaseView>> leases,
            Recent recent,
            Settings settings,
            EventLog events) {
        Sightings sightings = new Sightings(proxy);
        ConsoleOperator operator = new ConsoleOperator(settings, proxy, new BucketNames(proxy::buckets));
        return new Console(
                database,
                views(sightings, observer, new PoolViews(sightings, leases, recent), settings, events),
                new AuditedOperator(operator, events, sightings::forget),
                BackgroundWork::giveWay);
    }

    private static List<View> views(
            Sightings sightings, Observer observer, PoolViews pools, Settings settings, EventLog events) {
        ClientViews clients = new ClientViews(() -> sightings.details().values());
        FleetViews fleet = new FleetViews(observer, events);
        SettingViews configuration = new SettingViews(settings, sightings, observer);
        return List.of(
                pools.buckets(),
                pools.users(),
                clients.connections(),
                clients.clients(),
                clients.waiters(),
                clients.pins(),
                fleet.instances(),
                configuration.settings(),
                fleet.events(),
                configuration.buckets());
    }
}
