package io.github.ratelimit.spring;

import java.util.List;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.github.ratelimit.HouseRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;

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
	@CsvSource({ "redis, control:finding:top", "top, key", "event, key", "control, key",
			"method, charge:expression:key", "charge, expression", "key, expression:finding", "expression, ''",
			"web, charge:expression:method:key", "metrics, ''", "actuate, control:finding:key:top", "override, ''",
			"finding, ''", "usage, key", "check, event:expression:finding:key:method:web", "client, control" })
	void roomsDoNotImportOneAnother(String room, String others) {
		List<String> allowed = List.of(others.split(":"));
		String[] forbidden = Stream
			.of("redis", "control", "method", "charge", "expression", "key", "web", "metrics", "actuate", "override",
					"client", "top", "event", "finding", "check", "usage")
			.filter((name) -> !name.equals(room) && !allowed.contains(name))
			.map((name) -> ROOT + ".spring." + name + "..")
			.toArray(String[]::new);
		noClasses().that()
			.resideInAPackage(ROOT + ".spring." + room + "..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(forbidden)
			.check(CLASSES);
	}

	@Test
	void nothingDependsOnTheWiring() {
		noClasses().that()
			.resideInAPackage(ROOT + ".spring..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(AUTOCONFIGURE + "..")
			.check(CLASSES);
	}

	@Test
	void onlyTheWiringAndActuatorKnowSpringBoot() {
		noClasses().that()
			.resideOutsideOfPackages(AUTOCONFIGURE + "..", ROOT + ".spring.actuate..")
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
			.resideOutsideOfPackages(AUTOCONFIGURE + "..", ROOT + ".spring." + room + "..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(technology)
			.check(CLASSES);
	}

	@Test
	void onlyTheMethodRoomReadsTheAnnotation() {
		noClasses().that()
			.resideOutsideOfPackage(ROOT + ".spring.method")
			.should()
			.dependOnClassesThat()
			.haveFullyQualifiedName(ROOT + ".RateLimited")
			.check(CLASSES);
	}

	@Test
	void hasNoCyclesOfPackages() {
		SlicesRuleDefinition.slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
	}

	@Test
	void hasNoCirclesOfClassesWithinAPackage() {
		HouseRules.hasNoCirclesOfClasses(CLASSES);
	}

	@Test
	void keepsPackagesSmall() {
		HouseRules.keepsPackagesSmall(CLASSES);
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
		assertThat(CLASSES.stream().filter((type) -> type.getPackageName().startsWith(AUTOCONFIGURE)))
			.filteredOn((type) -> type.isTopLevelClass() && isPublic(type))
			.filteredOn((type) -> !type.isAnnotatedWith(AutoConfiguration.class))
			.extracting(JavaClass::getName)
			.containsExactlyInAnyOrder(AUTOCONFIGURE + ".BackgroundTask", AUTOCONFIGURE + ".store.StoreChoice",
					AUTOCONFIGURE + ".store.Stores", AUTOCONFIGURE + ".store.BeanOrigins",
					AUTOCONFIGURE + ".properties.PropertyNames", AUTOCONFIGURE + ".store.LocalStore",
					AUTOCONFIGURE + ".properties.RateLimitProperties", AUTOCONFIGURE + ".properties.NearLimit",
					AUTOCONFIGURE + ".properties.PolicyReader", AUTOCONFIGURE + ".properties.PenaltyReader",
					AUTOCONFIGURE + ".properties.PropertyCheck", AUTOCONFIGURE + ".properties.PropertyGroup",
					AUTOCONFIGURE + ".properties.PropertyGroups", AUTOCONFIGURE + ".properties.RuleReader",
					AUTOCONFIGURE + ".properties.SchedulesInEffect", AUTOCONFIGURE + ".properties.UnknownWord",
					AUTOCONFIGURE + ".properties.YamlWords");
	}

	@Test
	void leavesNothingWithThreadsOfOthers() {
		HouseRules.leavesNothingWithThreadsOfOthers(CLASSES);
	}

	@Test
	void marksEveryPackageForNullness() {
		HouseRules.marksEveryPackageForNullness(CLASSES);
	}

	private static boolean isPublic(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC);
	}

}
