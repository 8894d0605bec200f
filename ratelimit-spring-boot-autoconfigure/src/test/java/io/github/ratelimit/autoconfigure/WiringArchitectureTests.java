package io.github.ratelimit.autoconfigure;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.ratelimit.HouseRules;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

class WiringArchitectureTests {

	private static final String AUTOCONFIGURE = "io.github.ratelimit.autoconfigure";

	private static final String ACTUATE = "io.github.ratelimit.spring.actuate";

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(AUTOCONFIGURE, ACTUATE);

	@Test
	void onlyItsWiringKnowsSpringDataRedis() {
		noClasses().that()
			.resideOutsideOfPackage(AUTOCONFIGURE + ".redis")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.data..", "io.lettuce..", "io.github.ratelimit.spring.redis..")
			.check(CLASSES);
	}

	@Test
	void theChoiceOfAStoreKnowsNoneThatIsShared() {
		noClasses().that()
			.resideOutsideOfPackage(AUTOCONFIGURE + ".redis")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(AUTOCONFIGURE + ".redis")
			.check(CLASSES);
	}

	@Test
	void endpointsDoNotKnowTheWiring() {
		noClasses().that()
			.resideInAPackage(ACTUATE + "..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(AUTOCONFIGURE + "..")
			.check(CLASSES);
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
	}

	@Test
	void wiringPublishesNoMoreThanOtherPackagesNeed() {
		assertThat(CLASSES.stream().filter((type) -> type.getPackageName().startsWith(AUTOCONFIGURE)))
			.filteredOn((type) -> type.isTopLevelClass() && isPublic(type))
			.filteredOn((type) -> !type.isAnnotatedWith(AutoConfiguration.class))
			.extracting(JavaClass::getName)
			.containsExactlyInAnyOrder(AUTOCONFIGURE + ".BackgroundTask", AUTOCONFIGURE + ".OperatorMeters",
					AUTOCONFIGURE + ".check.LimiterUse", AUTOCONFIGURE + ".check.CheckedProperties",
					AUTOCONFIGURE + ".failure.PropertyRange", AUTOCONFIGURE + ".store.StoreChoice",
					AUTOCONFIGURE + ".store.Stores", AUTOCONFIGURE + ".store.BeanOrigins",
					AUTOCONFIGURE + ".store.SharedStore", AUTOCONFIGURE + ".properties.PropertyNames",
					AUTOCONFIGURE + ".store.LocalStore", AUTOCONFIGURE + ".properties.RateLimitProperties",
					AUTOCONFIGURE + ".properties.NearLimitReader", AUTOCONFIGURE + ".properties.PolicyReader",
					AUTOCONFIGURE + ".properties.PenaltyReader", AUTOCONFIGURE + ".properties.PropertyCheck",
					AUTOCONFIGURE + ".properties.PropertyGroup", AUTOCONFIGURE + ".properties.PropertyGroups",
					AUTOCONFIGURE + ".properties.RuleReader", AUTOCONFIGURE + ".properties.SchedulesInEffect",
					AUTOCONFIGURE + ".properties.SourcedProperties", AUTOCONFIGURE + ".properties.UnknownWord",
					AUTOCONFIGURE + ".properties.YamlWords", AUTOCONFIGURE + ".reload.ConditionalOnReload",
					AUTOCONFIGURE + ".reload.PropertiesInEffect", AUTOCONFIGURE + ".reload.Reloadable",
					AUTOCONFIGURE + ".reload.ReloadableSection");
	}

	@Test
	void keepsTheRulesOfTheHouse() {
		HouseRules.check(CLASSES);
	}

	private static boolean isPublic(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC);
	}

}
