package io.github.ratelimit.autoconfigure.integration;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.ratelimit.HouseRules;
import io.github.ratelimit.spring.amqp.ReturnAdvice;
import io.github.ratelimit.spring.graphql.GraphQlCallers;
import io.github.ratelimit.spring.kafka.RecordCallers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
class IntegrationsArchitectureTests {

	private static final String SPRING = "io.github.ratelimit.spring.";

	private static final List<String> OWN = List.of("graphql", "stomp", "grpc", "kafka", "amqp", "openapi", "listener");

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(Stream
			.concat(OWN.stream().map((room) -> SPRING + room),
					Stream.of("io.github.ratelimit.autoconfigure.integration"))
			.toArray(String[]::new));

	@ParameterizedTest
	@CsvSource({ "graphql, key:charge:expression", "stomp, key:charge", "grpc, key:charge:expression",
			"kafka, key:listener", "amqp, key:listener", "listener, ''", "openapi, method:web:key" })
	void roomsDoNotImportOneAnother(String room, String others) {
		List<String> allowed = Arrays.asList(others.split(":"));
		String[] forbidden = Stream
			.concat(OWN.stream(),
					Stream.of("redis", "control", "method", "web", "metrics", "actuate", "override", "top", "event",
							"check", "client", "charge", "expression", "usage"))
			.filter((name) -> !name.equals(room) && !allowed.contains(name))
			.map((name) -> SPRING + name + "..")
			.toArray(String[]::new);
		noClasses().that()
			.resideInAPackage(SPRING + room + "..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(forbidden)
			.check(CLASSES);
	}

	@Test
	void onlyTheWiringKnowsSpringBoot() {
		noClasses().that()
			.resideInAPackage("io.github.ratelimit.spring..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.boot..", "io.github.ratelimit.autoconfigure..")
			.check(CLASSES);
	}

	@Test
	void listsItsAutoConfigurations() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.containsAll(CLASSES.stream()
				.filter((type) -> type.isAnnotatedWith(AutoConfiguration.class))
				.map(JavaClass::getName)
				.toList());
	}

	@Test
	void keepsTheRulesOfTheHouse() {
		HouseRules.hasNoCirclesOfClasses(CLASSES);
		HouseRules.keepsPackagesSmall(CLASSES);
		HouseRules.marksEveryPackageForNullness(CLASSES);
	}

	/**
	 * Spring GraphQL restores and clears the thread-local of callers around each fetch.
	 * Those of listeners are cleared after each message, and the threads of their
	 * containers end with the application.
	 */
	@Test
	void leavesNothingWithThreadsOfOthers() {
		Set<String> exceptions = Set.of(GraphQlCallers.class.getName(), RecordCallers.class.getName(),
				ReturnAdvice.class.getName());
		HouseRules.leavesNothingWithThreadsOfOthers(
				CLASSES.that(DescribedPredicate.describe("others", (type) -> !exceptions.contains(type.getName()))));
	}

}
