package io.github.ratelimit;

import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.ratelimit.algorithm.Algorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

class CoreArchitectureTests {

	private static final String ROOT = "io.github.ratelimit";

	private static final JavaClasses CORE = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(ROOT);

	@Test
	void dependsOnTheJdkAndJspecifyAlone() {
		classes().should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java..", "org.jspecify..", ROOT + "..")
			.check(CORE);
	}

	@Test
	void keepsTheRulesOfTheHouse() {
		HouseRules.check(CORE);
	}

	@Test
	void showsAFewTypesAtTheDoor() {
		assertThat(CORE.stream()
			.filter((type) -> type.getPackageName().equals(ROOT) && type.isTopLevelClass()
					&& type.getModifiers().contains(JavaModifier.PUBLIC)))
			.hasSizeLessThanOrEqualTo(12);
	}

	@ParameterizedTest
	@CsvSource({ "algorithm, ''", "key, ''", "decision, algorithm", "store, decision:algorithm",
			"store.memory, store:decision:algorithm", "store.shared, store:decision:algorithm:key",
			"concurrency, store:decision:algorithm", "policy, store:decision:algorithm:key",
			"detached, store:decision:algorithm", "http, decision:algorithm" })
	void pointsOneWay(String room, String others) {
		String[] allowed = Stream
			.concat(Stream.of("java..", "org.jspecify..", ROOT + "." + room),
					Stream.of(others.split(":")).filter((other) -> !other.isEmpty()).map((other) -> ROOT + "." + other))
			.toArray(String[]::new);
		classes().that()
			.resideInAPackage(ROOT + "." + room)
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage(allowed)
			.check(CORE);
	}

	/** Redis is not on the class path; that of the JDK is forbidden here. */
	@Test
	void knowsNoDatabaseInWhatStoresShare() {
		noClasses().that()
			.resideInAPackage(ROOT + ".store..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("java.sql..", "javax.sql..", "io.lettuce..", "redis..", "org.springframework..")
			.check(CORE);
	}

	@Test
	void knowsNothingOfHttpInTheEngine() {
		noClasses().that()
			.resideInAPackage(ROOT)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".http")
			.check(CORE);
	}

	@Test
	void parksNoThreadThatCountsThePermitsOfCalls() {
		noClasses().that()
			.resideInAPackage(ROOT + ".concurrency")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("java.util.concurrent.locks")
			.check(CORE);
	}

	@Test
	void hasAJavaAndALuaFormOfEveryRuleUnderOneName() {
		for (Algorithm algorithm : Algorithm.values()) {
			String rule = algorithm.rule().name();
			assertThat(CORE.contain(ROOT + ".algorithm." + camelCase(rule))).isTrue();
			assertThat(Algorithm.class.getResource(rule + ".lua")).isNotNull();
		}
	}

	private static String camelCase(String id) {
		return Stream.of(id.split("-"))
			.map((word) -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
			.reduce("", String::concat);
	}

}
