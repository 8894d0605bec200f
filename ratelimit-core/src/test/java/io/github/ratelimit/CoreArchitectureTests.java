package io.github.ratelimit;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
	void hasNoCyclesOfPackages() {
		SlicesRuleDefinition.slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CORE);
	}

	@Test
	void hasNoCirclesOfClassesWithinAPackage() {
		SlicesRuleDefinition.slices().assignedFrom(new TopLevelClasses()).should().beFreeOfCycles().check(CORE);
	}

	@Test
	void keepsPackagesSmall() {
		assertThat(CORE.stream()
			.filter((type) -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting())))
			.allSatisfy((room, types) -> assertThat(types).as(room).isLessThanOrEqualTo(20));
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
			"store.memory, store:decision:algorithm", "policy, store:decision:algorithm:key",
			"http, decision:algorithm" })
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

	@Test
	void knowsNothingOfHttpInTheEngine() {
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

	private static String camelCase(String id) {
		return Stream.of(id.split("-"))
			.map((word) -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
			.reduce("", String::concat);
	}

	/** A slice for each top-level class, with the classes nested in it. */
	private static final class TopLevelClasses implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			String name = type.getName();
			int nested = name.indexOf('$');
			return SliceIdentifier.of((nested < 0) ? name : name.substring(0, nested));
		}

		@Override
		public String getDescription() {
			return "top-level classes";
		}

	}

}
