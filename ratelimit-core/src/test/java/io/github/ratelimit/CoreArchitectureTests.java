package io.github.ratelimit;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
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
	void hasNoCycles() {
		SlicesRuleDefinition.slices().matching(ROOT + ".(*)").should().beFreeOfCycles().check(CORE);
	}

	@Test
	void pointsOneWay() {
		onlyUses("algorithm", "algorithm");
		onlyUses("key", "key");
		onlyUses("store", "store", "algorithm", "key");
		onlyUses("http", "http", "algorithm");
		noClasses().that()
			.resideInAPackage(ROOT)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".http")
			.check(CORE);
	}

	/** Threads of a container outlive the applications in it. */
	@Test
	void leavesNothingWithThreadsOfOthers() {
		noClasses().should().dependOnClassesThat().areAssignableTo(ThreadLocal.class).check(CORE);
		Set<String> timers = Set.of("delayedExecutor", "orTimeout", "completeOnTimeout");
		noClasses().should()
			.callMethodWhere(target(owner(assignableTo(CompletableFuture.class)))
				.and(target(describe("a timer of the JVM", (method) -> timers.contains(method.getName())))))
			.check(CORE);
	}

	@Test
	void marksEveryPackageForNullness() {
		assertThat(CORE.stream().map((type) -> type.getPackage()).distinct())
			.allMatch((room) -> room.isAnnotatedWith(NullMarked.class));
	}

	@Test
	void hasAJavaAndALuaFormOfEveryAlgorithmUnderOneName() {
		for (Algorithm algorithm : Algorithm.values()) {
			String rule = Limit.of(algorithm, Rate.parse("1/1s")).formula().rule();
			assertThat(CORE.contain(ROOT + ".algorithm." + camelCase(rule))).isTrue();
			assertThat(Algorithm.class.getResource(rule + ".lua")).isNotNull();
		}
	}

	private static void onlyUses(String room, String... others) {
		String[] allowed = Stream
			.concat(Stream.of("java..", "org.jspecify.."), Stream.of(others).map((other) -> ROOT + "." + other))
			.toArray(String[]::new);
		classes().that()
			.resideInAPackage(ROOT + "." + room)
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage(allowed)
			.check(CORE);
	}

	private static String camelCase(String id) {
		return Stream.of(id.split("-"))
			.map((word) -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
			.reduce("", String::concat);
	}

}
