package io.github.ratelimit.spring;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

class SpringArchitectureTests {

	private static final String ROOT = "io.github.ratelimit";

	private static final String AUTOCONFIGURE = ROOT + ".autoconfigure";

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(ROOT + ".spring", AUTOCONFIGURE);

	@ParameterizedTest
	@CsvSource({ "redis, redis", "method, key", "key, key", "web, web", "metrics, metrics", "actuate, actuate",
			"override, override", "client, client" })
	void roomsDoNotImportOneAnother(String room, String other) {
		String[] others = Stream.of("redis", "method", "key", "web", "metrics", "actuate", "override", "client")
			.filter((name) -> !name.equals(room) && !name.equals(other))
			.map((name) -> ROOT + ".spring." + name)
			.toArray(String[]::new);
		noClasses().that()
			.resideInAPackage(ROOT + ".spring." + room)
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(others)
			.check(CLASSES);
	}

	@Test
	void nothingDependsOnTheWiring() {
		noClasses().that()
			.resideInAPackage(ROOT + ".spring..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(AUTOCONFIGURE)
			.check(CLASSES);
	}

	@Test
	void onlyTheWiringAndActuatorKnowSpringBoot() {
		noClasses().that()
			.resideOutsideOfPackages(AUTOCONFIGURE, ROOT + ".spring.actuate")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework.boot..")
			.check(CLASSES);
	}

	@ParameterizedTest
	@CsvSource({ "org.springframework.data.., redis", "io.lettuce.., redis", "io.micrometer.., metrics",
			"org.springframework.aop.., method", "com.github.benmanes.., override",
			"org.springframework.http.client.., client", "org.springframework.web.reactive.function.client.., client" })
	void everyTechnologyHasOneRoom(String technology, String room) {
		noClasses().that()
			.resideOutsideOfPackages(AUTOCONFIGURE, ROOT + ".spring." + room)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(technology)
			.check(CLASSES);
	}

	@Test
	void onlyOneClassReadsTheAnnotation() {
		noClasses().that()
			.resideOutsideOfPackage(ROOT + ".spring.method")
			.should()
			.dependOnClassesThat()
			.haveFullyQualifiedName(ROOT + ".RateLimited")
			.check(CLASSES);
	}

	@Test
	void hasNoCycles() {
		SlicesRuleDefinition.slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
	}

	@Test
	void wiringHasTheShapeOfAutoConfigurations() {
		classes().that()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.bePublic()
			.andShould()
			.haveSimpleNameEndingWith("AutoConfiguration")
			.check(CLASSES);
		assertThat(CLASSES.stream().filter((type) -> type.getPackageName().equals(AUTOCONFIGURE)))
			.filteredOn((type) -> !type.isAnnotatedWith(AutoConfiguration.class))
			.noneMatch((type) -> type.isTopLevelClass() && isPublic(type));
	}

	/** Threads of a container outlive the applications in it. */
	@Test
	void leavesNothingWithThreadsOfOthers() {
		noClasses().should().dependOnClassesThat().areAssignableTo(ThreadLocal.class).check(CLASSES);
		Set<String> timers = Set.of("delayedExecutor", "orTimeout", "completeOnTimeout");
		noClasses().should()
			.callMethodWhere(target(owner(assignableTo(CompletableFuture.class)))
				.and(target(describe("a timer of the JVM", (method) -> timers.contains(method.getName())))))
			.check(CLASSES);
	}

	@Test
	void marksEveryPackageForNullness() {
		assertThat(CLASSES.stream().map(JavaClass::getPackage).distinct())
			.allMatch((room) -> room.isAnnotatedWith(NullMarked.class));
	}

	private static boolean isPublic(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC);
	}

}
