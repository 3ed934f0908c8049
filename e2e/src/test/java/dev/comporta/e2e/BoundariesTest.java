package dev.comporta.e2e;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Who may know whom, and what may not be done where. */
@AnalyzeClasses(packages = "dev.comporta", importOptions = ImportOption.DoNotIncludeTests.class)
class BoundariesTest {
    /** Tests and, as {@code dist}, what is run before anything is shipped: nothing depends on them. */
    private static final Set<String> NOT_LOOKED_AT = Set.of("e2e", "dist");

    /** A rule about what is not on the class path would hold whatever it says. */
    @ArchTest
    static void everyModuleIsLookedAt(JavaClasses classes) throws IOException {
        Set<String> places = classes.stream()
                .flatMap(one -> one.getSource().stream())
                .map(source -> source.getUri().toString())
                .collect(Collectors.toSet());
        List<String> missing = Pattern.compile("<module>([\\w-]+)</module>")
                .matcher(Files.readString(Path.of("..", "pom.xml")))
                .results()
                .map(module -> module.group(1))
                .filter(module -> !NOT_LOOKED_AT.contains(module))
                .filter(module -> places.stream()
                        .noneMatch(place -> place.contains("/" + module + "/target/classes/")
                                || place.matches(".*/comporta-" + module + "-\\d[^/]*\\.jar!.*")))
                .toList();
        assertThat(missing).isEmpty();
        assertThat(places).hasSizeGreaterThan(500);
    }

    @ArchTest
    static final ArchRule poolKnowsOnlyTheJdk = classes()
            .that()
            .resideInAPackage("dev.comporta.pool..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("dev.comporta.pool..", "java..", "org.jspecify.annotations"))
            .because("it is a deterministic machine: simulators and other protocols drive the same code");

    @ArchTest
    static final ArchRule consoleKnowsOnlyTheJdk = classes()
            .that()
            .resideInAPackage("dev.comporta.console..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("dev.comporta.console..", "java..", "org.jspecify.annotations"))
            .because("its language is the same whatever protocol brings the text");

    @ArchTest
    static final ArchRule nettyStaysInTheDataPlaneAndBelowHttp = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.comporta.http..",
                    "dev.comporta.tls..",
                    "dev.comporta.tds..",
                    "dev.comporta.proxy..",
                    "dev.comporta.standin..",
                    "dev.comporta.bench..",
                    "dev.comporta.testkit..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.netty.."))
            .because("the control plane is blocking code on virtual threads");

    @ArchTest
    static final ArchRule httpKnowsOnlyRequestsResponsesAndTls = classes()
            .that()
            .resideInAPackage("dev.comporta.http..")
            .should()
            .onlyDependOnClassesThat(DescribedPredicate.not(resideInAPackage("dev.comporta.."))
                    .or(resideInAnyPackage("dev.comporta.http..", "dev.comporta.ops.http..", "dev.comporta.tls..")))
            .because(
                    "it carries answers, and what they say is others' business; the data plane's loops are not its own");

    @ArchTest
    static final ArchRule nettysHttpStaysInHttp = noClasses()
            .that()
            .resideOutsideOfPackage("dev.comporta.http..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.netty.handler.codec.http.."))
            .because("handlers know requests and responses of our own, whatever carries them");

    @ArchTest
    static final ArchRule h2StaysInTheStandinsEngine = noClasses()
            .that()
            .resideOutsideOfPackage("dev.comporta.standin.engine..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.h2.."));

    @ArchTest
    static final ArchRule tdsKnowsNobody = classes()
            .that()
            .resideInAPackage("dev.comporta.tds..")
            .should()
            .onlyDependOnClassesThat(DescribedPredicate.not(resideInAPackage("dev.comporta.."))
                    .or(resideInAPackage("dev.comporta.tds..")));

    @ArchTest
    static final ArchRule tdsMakesNoCertificatesAndNoTlsContexts = noClasses()
            .that()
            .resideInAPackage("dev.comporta.tds..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.security.cert..", "java.security.spec..")
                    .or(type(SslContextBuilder.class)))
            .because("the protocol only wraps TLS records; which certificate and which ciphers is a matter of tls");

    @ArchTest
    static final ArchRule tlsKnowsNobody = classes()
            .that()
            .resideInAPackage("dev.comporta.tls..")
            .should()
            .onlyDependOnClassesThat(DescribedPredicate.not(resideInAPackage("dev.comporta.."))
                    .or(resideInAPackage("dev.comporta.tls..")));

    @ArchTest
    static final ArchRule testkitKnowsOnlyTheProtocol = classes()
            .that()
            .resideInAPackage("dev.comporta.testkit..")
            .should()
            .onlyDependOnClassesThat(DescribedPredicate.not(resideInAPackage("dev.comporta.."))
                    .or(resideInAnyPackage("dev.comporta.testkit..", "dev.comporta.tds..", "dev.comporta.tls..")));

    @ArchTest
    static final ArchRule testkitStaysOutOfTheProduct = noClasses()
            .that()
            .resideOutsideOfPackages("dev.comporta.testkit..", "dev.comporta.bench..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.comporta.testkit.."));

    @ArchTest
    static final ArchRule standinKnowsOnlyTheProtocol = classes()
            .that()
            .resideInAPackage("dev.comporta.standin..")
            .should()
            .onlyDependOnClassesThat(DescribedPredicate.not(resideInAPackage("dev.comporta.."))
                    .or(resideInAnyPackage("dev.comporta.standin..", "dev.comporta.tds..", "dev.comporta.tls..")));

    @ArchTest
    static final ArchRule engineKnowsNothingOfTheWire = noClasses()
            .that()
            .resideInAPackage("dev.comporta.standin.engine..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.comporta.tds..", "dev.comporta.standin.wire..", "io.netty.."));

    @ArchTest
    static final ArchRule leaseKnowsOnlyTheJdkAndThePool = classes()
            .that()
            .resideInAPackage("dev.comporta.lease..")
            .and()
            .resideOutsideOfPackages("dev.comporta.lease.redis..", "dev.comporta.lease.dynamodb..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "dev.comporta.lease..",
                            "dev.comporta.pool..",
                            "java..",
                            "org.slf4j..",
                            "org.jspecify.annotations")
                    .and(DescribedPredicate.not(
                            resideInAnyPackage("dev.comporta.lease.redis..", "dev.comporta.lease.dynamodb.."))))
            .because("slots are the same whatever the protocol and the store");

    @ArchTest
    static final ArchRule storesKnowOnlyTheLeaseAndThePool = classes()
            .that()
            .resideInAnyPackage("dev.comporta.lease.redis..", "dev.comporta.lease.dynamodb..")
            .should()
            .onlyDependOnClassesThat(DescribedPredicate.not(resideInAPackage("dev.comporta.."))
                    .or(resideInAnyPackage("dev.comporta.lease..", "dev.comporta.pool..")))
            .because("a store's settings come from whoever wires it");

    @ArchTest
    static final ArchRule jdbcKnowsOnlyTheJdkThePoolTheLeaseAndTheConsole = classes()
            .that()
            .resideInAPackage("dev.comporta.jdbc..")
            .and()
            .resideOutsideOfPackages("dev.comporta.jdbc.micrometer..", "dev.comporta.jdbc.dsql..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                    "dev.comporta.jdbc..",
                    "dev.comporta.pool..",
                    "dev.comporta.lease..",
                    "dev.comporta.console..",
                    "java..",
                    "javax.management..",
                    "javax.net",
                    "javax.sql..",
                    "org.slf4j..",
                    "org.jspecify.annotations"))
            .because("it runs inside applications: no Netty, no server, no driver, and nothing that is optional");

    @ArchTest
    static final ArchRule micrometerStaysInARoomThatNobodyNeeds = noClasses()
            .that()
            .resideOutsideOfPackage("dev.comporta.jdbc.micrometer..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.comporta.jdbc.micrometer..", "io.micrometer.."))
            .because("an application without Micrometer must not miss its classes");

    @ArchTest
    static final ArchRule lettuceStaysInTheRedisStore = noClasses()
            .that()
            .resideOutsideOfPackage("dev.comporta.lease.redis..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.lettuce.."));

    @ArchTest
    static final ArchRule theAwsSdkStaysInTheDynamoDbStoreAndBelowTokens = noClasses()
            .that()
            .resideOutsideOfPackages("dev.comporta.lease.dynamodb..", "dev.comporta.jdbc.dsql..")
            .should()
            .dependOnClassesThat(resideInAPackage("software.amazon.."));

    @ArchTest
    static final ArchRule nobodyNeedsTokens = noClasses()
            .that()
            .resideOutsideOfPackage("dev.comporta.jdbc.dsql..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.comporta.jdbc.dsql.."))
            .because("it is found on the class path, or not: an application without the AWS SDK must not miss it");

    @ArchTest
    static final ArchRule onlyWhoWiresKnowsAStore = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.comporta.lease.redis..",
                    "dev.comporta.lease.dynamodb..",
                    "dev.comporta.app..",
                    "dev.comporta.bench..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.comporta.lease.redis..", "dev.comporta.lease.dynamodb.."));

    @ArchTest
    static final ArchRule theProductShipsNoStandinAndNoDemo = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.comporta.standin..", "dev.comporta.demo..", "dev.comporta.bench..", "dev.comporta.dist..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "dev.comporta.standin..", "dev.comporta.demo..", "org.h2..", "com.microsoft.sqlserver.."))
            .because("they are for demonstrations and tests");

    @ArchTest
    static final ArchRule theProductShipsNoDashboards = noClasses()
            .that()
            .resideOutsideOfPackage("dev.comporta.monitoring..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.comporta.monitoring.."))
            .because("they are written when the product is built, not when it runs");

    @ArchTest
    static final ArchRule monitoringKnowsOnlyTheMetrics = classes()
            .that()
            .resideInAPackage("dev.comporta.monitoring..")
            .should()
            .onlyDependOnClassesThat(DescribedPredicate.not(resideInAPackage("dev.comporta.."))
                    .or(resideInAnyPackage("dev.comporta.monitoring..", "dev.comporta.ops.metrics..")));

    @ArchTest
    static final ArchRule prometheusStaysInMetrics = noClasses()
            .that()
            .resideOutsideOfPackage("dev.comporta.ops.metrics..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.prometheus.."))
            .because("the data plane keeps plain counters, and others read the same snapshots");

    private static final String[] ASKS_BY_HTTP = {
        "dev.comporta.app.admin..", "dev.comporta.app.command..", "dev.comporta.app.text..", "dev.comporta.app.top.."
    };

    @ArchTest
    static final ArchRule whoAsksAnInstanceKnowsNoneOfItsParts = classes()
            .that()
            .resideInAnyPackage(ASKS_BY_HTTP)
            .should()
            .onlyDependOnClassesThat(
                    DescribedPredicate.not(resideInAPackage("dev.comporta..")).or(resideInAnyPackage(ASKS_BY_HTTP)))
            .because("top and admin start at once, and talk to instances of other versions over HTTP alone");

    @ArchTest
    static final ArchRule terminalsAreForTop = noClasses()
            .that()
            .resideOutsideOfPackages("dev.comporta.app.text..", "dev.comporta.app.top..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.jline.."));

    /**
     * Every package is a room, a package inside another too. Without cycles between rooms there are none between classes of
     * different rooms either: no class knows one that knows it, by whatever detour, unless they share a room.
     */
    @ArchTest
    static final ArchRule roomsHaveNoCycles =
            slices().matching("dev.comporta.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule modulesHaveNoCycles =
            slices().matching("dev.comporta.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule namesSayWhatAClassDoes = noClasses()
            .should()
            .haveSimpleNameEndingWith("Manager")
            .orShould()
            .haveSimpleNameEndingWith("Helper")
            .orShould()
            .haveSimpleNameEndingWith("Util")
            .orShould()
            .haveSimpleNameEndingWith("Utils")
            .orShould()
            .haveSimpleNameEndingWith("Impl")
            .orShould()
            .haveSimpleNameEndingWith("Base")
            .orShould()
            .haveSimpleNameEndingWith("Context")
            .orShould()
            .haveSimpleNameEndingWith("Processor");

    @ArchTest
    static final ArchRule onlyTheStandinHasAnEngine = noClasses()
            .that()
            .resideOutsideOfPackage("dev.comporta.standin.engine..")
            .should()
            .haveSimpleNameEndingWith("Engine");

    @ArchTest
    static final ArchRule noPackageIsCalledImpl =
            noClasses().should().resideInAnyPackage("..impl..", "..util..", "..utils..");

    @ArchTest
    static final ArchRule handlersDoNotBlock = noClasses()
            .that()
            .areAssignableTo(ChannelHandler.class)
            .and()
            .resideInAnyPackage(
                    "dev.comporta.http..", "dev.comporta.tds..", "dev.comporta.proxy..", "dev.comporta.standin..")
            .should()
            .callMethodWhere(blocks())
            .because("a handler runs on an event loop, and while it waits every other channel of the loop waits");

    private static DescribedPredicate<JavaCall<?>> blocks() {
        Set<String> waits = Set.of("sync", "syncUninterruptibly", "await", "awaitUninterruptibly", "get", "join");
        List<Class<?>> waitable = List.of(Future.class, CountDownLatch.class, io.netty.util.concurrent.Future.class);
        return DescribedPredicate.describe("blocks the thread", call -> {
            JavaClass owner = call.getTargetOwner();
            if (owner.isEquivalentTo(Thread.class)) {
                return call.getName().equals("sleep") || call.getName().equals("join");
            }
            return waits.contains(call.getName()) && waitable.stream().anyMatch(owner::isAssignableTo);
        });
    }
}
