package dev.comporta.e2e.live;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.e2e.live.LiveFleet.Bucket;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.RawClient;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The live page as an operator sees and uses it, in Chromium. */
@Timeout(300)
class LivePageInBrowserTest {
    private static final int WIDTH = 1440;
    private static final int HEIGHT = 900;
    private static final int PHONE_WIDTH = 390;
    private static final int PHONE_HEIGHT = 844;

    /** What somebody calls himself who wants to be run. */
    private static final String MARKUP = "<img src=x onerror=alert(1)>";

    private static final String TILE = "#grid a.tile";

    private static Chromium chromium;

    @BeforeAll
    static void startBrowser() {
        chromium = Chromium.start();
    }

    @AfterAll
    static void closeBrowser() {
        chromium.close();
    }

    private static String tile(String bucket) {
        return TILE + "[href='#/bucket/" + bucket + "']";
    }

    private static LiveFleet three() throws Exception {
        LiveFleet fleet =
                LiveFleet.start(List.of(Bucket.of("lisboa", 3), Bucket.of("porto", 4), Bucket.of("faro", 2)), MARKUP);
        for (String bucket : List.of("lisboa", "porto", "faro")) {
            for (int i = 0; i < 3; i++) {
                ask(fleet.connect(bucket, "orders-api"), "SELECT 1");
            }
        }
        return fleet;
    }

    @Test
    void threeBucketsAreShownAndFollowWhatTheirClientsDo() throws Exception {
        try (LiveFleet fleet = three();
                Tab tab = chromium.open(fleet, WIDTH, HEIGHT, false).go("")) {
            tab.await("() => document.querySelectorAll('#grid a.tile').length === 3");
            tab.awaitText("#link", "live");
            tab.awaitText("#instance", "proxy-1");
            tab.awaitText(tile("lisboa") + " .tile-main", "0/3");

            fleet.fill("lisboa", 3, 0);
            tab.awaitText(tile("lisboa") + " .tile-main", "3/3");
            tab.await("() => document.querySelector(\"" + tile("lisboa") + "\").dataset.state === 'busy'");
            Future<String> answer = fleet.waitIn("lisboa");
            tab.awaitText(tile("lisboa") + " .tile-state", "1 queued");
            tab.awaitText("#attention li", "lisboa");
            tab.awaitText("#announce", "1 queued");
            assertThat(tab.find(TILE).first().getAttribute("aria-label"))
                    .as("what needs attention is first")
                    .startsWith("lisboa: 1 queued, 3 of 3 server connections in use");
            fleet.fill("porto", 1, 0);
            tab.awaitText(tile("porto") + " .tile-main", "1/4");

            fleet.finish("lisboa");
            assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("7");
            tab.awaitText(tile("lisboa") + " .tile-main", "0/3");
            tab.awaitText("#attention", "Nothing");
            tab.isFaultless();
        }
    }

    @Test
    void everyInstanceOfTheFleetIsShownWithTheSlotsThatItHolds() throws Exception {
        try (RedisProcess redis = new RedisProcess();
                LiveFleet fleet =
                        LiveFleet.startTwo(redis.port(), List.of(Bucket.of("lisboa", 3), Bucket.of("faro", 2)));
                Tab tab = chromium.open(fleet, WIDTH, HEIGHT, false).go("")) {
            run(fleet.connect("lisboa", "orders-api"), "BEGIN TRANSACTION");
            for (int i = 0; i < 2; i++) {
                run(fleet.connect(fleet.other(), "lisboa", "orders-api", RawClient.USER), "BEGIN TRANSACTION");
            }
            run(fleet.connect(fleet.other(), "faro", "orders-api", RawClient.USER), "BEGIN TRANSACTION");
            tab.await("() => document.querySelectorAll('#instances tbody tr').length === 2");
            tab.awaitText("#instances tbody tr:nth-child(1) th", "proxy-1 this one");
            tab.awaitText("#instances tbody tr:nth-child(1) td:nth-child(2)", "1");
            tab.awaitText("#instances tbody tr:nth-child(2) th", "proxy-2");
            tab.awaitText("#instances tbody tr:nth-child(2) td:nth-child(2)", "3");
            tab.awaitText("#instances tbody tr:nth-child(2) td:nth-child(4)", "ago");

            tab.go("#/bucket/lisboa");
            tab.awaitText("[aria-labelledby='panel-slots-by-instance'] tbody tr:nth-child(1) td:nth-child(2)", "1");
            tab.awaitText("[aria-labelledby='panel-slots-by-instance'] tbody tr:nth-child(2) td:nth-child(2)", "2");
            assertThat(tab.hardToRead()).isEmpty();

            fleet.other().close();
            tab.go("");
            tab.await("() => document.querySelectorAll('#instances tbody tr').length === 1");
            tab.isFaultless();
        }
    }

    @Test
    void aBucketsViewHasChartsClientsPinsAndWaitsAndShowsNamesAsText() throws Exception {
        try (LiveFleet fleet = three();
                Tab tab = chromium.open(fleet, WIDTH, HEIGHT + 500, false)) {
            assertThatThrownBy(() -> Jdbc.mssql(
                            fleet.instance().proxy().port(),
                            "user={</td><script>alert(2)</script>};password=no;databaseName=faro"))
                    .isInstanceOf(SQLException.class);
            run(fleet.connect("faro", MARKUP, MARKUP), "BEGIN TRANSACTION");
            run(fleet.connect("faro", "ledger"), "SELECT 1 AS a INTO #work");
            fleet.waitIn("faro");

            tab.go("#/bucket/faro");
            tab.awaitText("#bucket h1", "faro");
            tab.awaitText("#bucket .badge", "1 queued");
            tab.awaitText("[aria-labelledby='panel-longest-pins-and-transactions'] tbody", "transaction");
            tab.awaitText("[aria-labelledby='panel-longest-pins-and-transactions'] tbody", "temporary table");
            tab.awaitText("[aria-labelledby='panel-slowest-waits'] tbody", "sa");
            tab.awaitText("[aria-labelledby='panel-pools'] tbody", MARKUP);
            tab.awaitText("[aria-labelledby='panel-clients'] tbody", MARKUP);
            tab.awaitText("[aria-labelledby='panel-slots-by-instance'] tbody", "proxy-1");
            tab.awaitText("[aria-labelledby='panel-events-of-this-bucket']", "</td><script>alert(2)</script>");
            assertThat(tab.find(".strip li").allTextContents()).containsExactlyInAnyOrder("p", "p");
            assertThat(tab.find("main img, main script").count())
                    .as("made of names")
                    .isZero();

            assertThat(tab.find("canvas").count()).isEqualTo(6);
            tab.await("() => [...document.querySelectorAll('canvas')].every((canvas) =>"
                    + " Chart.getChart(canvas).data.datasets.some((series) => series.data.length >= 1))");
            assertThat(tab.find("canvas").nth(1).getAttribute("aria-label"))
                    .contains("temporary table 1", "transaction 1");
            assertThat(tab.hardToRead()).isEmpty();
            tab.press("t");
            assertThat(tab.hardToRead()).as("dark").isEmpty();
            tab.press("Escape");
            tab.await("() => location.hash === '#/' && document.querySelectorAll('#grid a.tile').length === 3");
            tab.isFaultless();
        }
    }

    @Test
    void actionsAskForTheTokenAndForConfirmationAndShowTheirAuditLine() throws Exception {
        try (LiveFleet fleet = three();
                Tab tab = chromium.open(fleet, WIDTH, HEIGHT, true)) {
            Connection victim = fleet.connect("porto", "victim");
            run(victim, "BEGIN TRANSACTION");
            tab.go("#/bucket/porto");
            tab.awaitText("#bucket .badge", "calm");
            tab.find("text=Pause…").click();
            tab.find("dialog input").fill("a guess");
            tab.press("Enter");
            tab.awaitText("dialog .failed", "The token is not that of proxy.admin.token on this instance.");
            assertThat(tab.errors())
                    .as("of the browser, of the status")
                    .isNotEmpty()
                    .allMatch(error -> error.contains("401"));
            tab.find("dialog input").fill(LiveFleet.TOKEN);
            tab.press("Enter");
            tab.awaitText("dialog h2", "Pause porto?");
            assertThat(fleet.instance().proxy().glance("porto").pool().paused())
                    .as("before it is confirmed")
                    .isFalse();
            assertThat(tab.hardToRead()).isEmpty();
            tab.find("dialog button.primary").click();
            tab.awaitText("dialog .audit", "PAUSE porto: done");
            tab.awaitText("dialog .audit", "console command by api from 127.0.0.1");
            assertThat(fleet.instance().proxy().glance("porto").pool().paused()).isTrue();
            tab.press("Escape");
            tab.awaitText("#bucket .badge", "paused");
            tab.awaitText("[aria-labelledby='panel-events-of-this-bucket']", "PAUSE porto: done");

            tab.find("text=Resume…").click();
            tab.find("dialog button.primary").click();
            tab.awaitText("dialog .audit", "RESUME porto: done");
            tab.press("Escape");

            tab.find("[aria-labelledby='panel-longest-pins-and-transactions'] tbody button")
                    .first()
                    .click();
            tab.find("dialog button.danger").click();
            tab.awaitText("dialog .done", "closed.");
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !victim.isValid(5));
            tab.press("Escape");

            tab.find("text=Reconnect…").click();
            tab.find("dialog button.primary").click();
            tab.awaitText("dialog .audit", "RECONNECT porto: done");
            tab.press("Escape");
            tab.isFaultless();

            tab.find("#drain").click();
            tab.awaitText("dialog h2", "Drain proxy-1?");
            tab.find("dialog button.danger").click();
            tab.awaitText("dialog .audit", "DRAIN: done");
            tab.press("Escape");
            assertThat(tab.run("() => JSON.stringify(sessionStorage)").toString())
                    .contains(LiveFleet.TOKEN);
            tab.find("#token").click();
            tab.awaitText("#token", "Unlock actions");
            assertThat(tab.run("() => sessionStorage.length + document.cookie.length"))
                    .as("kept of the token")
                    .isEqualTo(0);
            assertThat(tab.run("() => JSON.stringify(localStorage)").toString()).doesNotContain(LiveFleet.TOKEN);
        }
    }

    @Test
    void aPageThatNeedsTheTokenShowsNothingWithoutIt() throws Exception {
        try (LiveFleet fleet = LiveFleet.start("token", List.of(Bucket.of("lisboa", 3)));
                Tab tab = chromium.open(fleet, WIDTH, HEIGHT, false).go("")) {
            tab.awaitText("#notice", "needs its token");
            assertThat(tab.find(TILE).count()).isZero();
            assertThat(tab.find("body").textContent()).doesNotContain("lisboa", "proxy-1");
            assertThat(tab.errors())
                    .as("of the browser, of the status")
                    .isNotEmpty()
                    .allMatch(error -> error.contains("401"));
            tab.find("#token").click();
            tab.find("dialog input").fill(LiveFleet.TOKEN);
            tab.press("Enter");
            tab.await("() => document.querySelectorAll('#grid a.tile').length === 1");
            assertThat(tab.find("#notice").isVisible()).isFalse();
            tab.isFaultless();
        }
    }

    private static final int MANY = 120;

    private static String many(int number) {
        return "tenant-%03d".formatted(number);
    }

    private static LiveFleet hundredAndTwenty() throws Exception {
        List<Bucket> buckets = new ArrayList<>();
        for (int i = 1; i <= MANY; i++) {
            buckets.add(new Bucket(many(i), i % 20 == 7 ? 1 : 4, i != 42 && i != 99));
        }
        LiveFleet fleet = LiveFleet.start(buckets);
        fleet.fill(many(7), 1, 3);
        fleet.fill(many(27), 1, 1);
        fleet.fill(many(15), 4, 0);
        for (int i = 1; i <= 12; i++) {
            fleet.fill(many(50 + i), 1 + i % 3, 0);
        }
        fleet.instance().proxy().pause(many(70)).get(60, TimeUnit.SECONDS);
        return fleet;
    }

    @Test
    void aHundredAndTwentyBucketsAreFilteredAndWalkedThroughByKeysInAnyThemeAndOnAPhone() throws Exception {
        try (LiveFleet fleet = hundredAndTwenty()) {
            try (Tab tab = chromium.open(fleet, WIDTH, HEIGHT, false).go("")) {
                tab.await("() => document.querySelectorAll('#grid a.tile').length === 120");
                tab.await("() => document.querySelectorAll('#grid a[data-state=down]').length === 2"
                        + " && document.querySelectorAll('#grid a[data-state=queued]').length === 2");
                assertThat(tab.find(TILE + " .tile-state").allTextContents().subList(0, 6))
                        .as("in the order in which they need somebody")
                        .startsWith("down", "down", "paused")
                        .contains("3 queued", "1 queued");
                assertThat(tab.find("#attention li").count()).isGreaterThanOrEqualTo(5);
                assertThat(tab.hardToRead()).isEmpty();
                tab.picture("live-page-120-buckets.png");
                tab.press("t");
                assertThat(tab.hardToRead()).as("dark").isEmpty();

                tab.press("/");
                tab.page().keyboard().type("tenant-11");
                tab.await("() => document.querySelectorAll('#grid a.tile').length === 10");
                tab.press("ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft");
                assertThat(tab.run("() => document.activeElement.getAttribute('href')"))
                        .isEqualTo("#/bucket/tenant-111");
                tab.press("Enter");
                tab.awaitText("#bucket h1", "tenant-111");
                tab.press("Escape");
                tab.await("() => document.activeElement.getAttribute('href') === '#/bucket/tenant-111'");
                tab.press("Escape");
                tab.await("() => document.querySelectorAll('#grid a.tile').length === 120");
                tab.find(".chip[data-state=queued]").click();
                tab.await("() => document.querySelectorAll('#grid a.tile').length === 2");
                tab.press("?");
                tab.awaitText("dialog", "filter the buckets");
                assertThat(tab.hardToRead()).as("help, dark").isEmpty();
                tab.isFaultless();
            }
            try (Tab phone =
                    chromium.open(fleet, PHONE_WIDTH, PHONE_HEIGHT, true).go("")) {
                phone.await("() => document.querySelectorAll('#grid a.tile').length === 120");
                phone.awaitText("#attention", "down");
                assertThat(phone.run("() => document.scrollingElement.scrollWidth"))
                        .isEqualTo(PHONE_WIDTH);
                phone.picture("live-page-phone.png");
                phone.go("#/bucket/tenant-007");
                phone.awaitText("#bucket .badge", "3 queued");
                phone.await("() => document.querySelector('.strip li')");
                assertThat(phone.run("() => document.scrollingElement.scrollWidth"))
                        .isEqualTo(PHONE_WIDTH);
                phone.isFaultless();
            }
        }
    }
}
