package dev.comporta.app.console;

import dev.comporta.console.table.View;
import dev.comporta.console.table.ViewColumns;
import dev.comporta.ops.watch.InstanceTable;
import dev.comporta.ops.watch.Observer;
import java.util.ArrayList;
import java.util.List;

/** {@code sys.instances} and {@code sys.events}. */
final class FleetViews {
    private record HoldingRow(InstanceTable.Row instance, InstanceTable.Holding holding) {}

    private final Observer observer;
    private final EventLog events;

    FleetViews(Observer observer, EventLog events) {
        this.observer = observer;
        this.events = events;
    }

    View instances() {
        ViewColumns<HoldingRow> columns = new ViewColumns<>();
        columns.of(HoldingRow::instance)
                .text("instance", "Its id.", InstanceTable.Row::instance)
                .bit("is_this", "Whether it is the instance that runs this query.", InstanceTable.Row::self);
        columns.of(HoldingRow::holding)
                .text("bucket", "The bucket.", InstanceTable.Holding::bucket)
                .integer("slots_held", "Slots it holds.", InstanceTable.Holding::held)
                .integer("slots_waiting", "Slots it waits for.", InstanceTable.Holding::waiting);
        columns.of(HoldingRow::instance)
                .bit(
                        "degraded",
                        "Of this instance, whether the store can't be reached; of others, whether they are overdue.",
                        InstanceTable.Row::degraded)
                .time(
                        "last_seen",
                        "Its last heartbeat; NULL without a store.",
                        of -> of.heard().orElse(null));
        return columns.view(
                "instances", "INSTANCES", "One row for each instance of the fleet and bucket.", this::holdingRows);
    }

    private List<HoldingRow> holdingRows() {
        List<HoldingRow> rows = new ArrayList<>();
        for (InstanceTable.Row instance : InstanceTable.of(observer.observe()).rows()) {
            instance.holdings().forEach(holding -> rows.add(new HoldingRow(instance, holding)));
        }
        return rows;
    }

    View events() {
        return new ViewColumns<Event>()
                .bigint("event_id", "Counts from the start of the instance.", Event::id)
                .time("at", "When it happened; the latest time if it happened several times.", Event::at)
                .text("kind", "What happened.", event -> event.kind().shown())
                .text("bucket", "The bucket that it concerns.", Event::bucket)
                .text("client", "The address of the client that it concerns.", Event::client)
                .text("login", "The login that it concerns.", Event::login)
                .integer(
                        "times", "How often the same login was refused for the same reason; otherwise 1.", Event::times)
                .text("message", "One sentence.", Event::message)
                .view("events", "EVENTS", "The last thousand events, newest last.", events::events);
    }
}
