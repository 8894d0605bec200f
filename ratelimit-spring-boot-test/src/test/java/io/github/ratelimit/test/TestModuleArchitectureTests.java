package io.github.ratelimit.test;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.ratelimit.HouseRules;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

class TestModuleArchitectureTests {

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages("io.github.ratelimit.test");

	@Test
	void promisesFewTypes() {
		assertThat(CLASSES.stream()
			.filter((type) -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC)))
			.extracting(JavaClass::getSimpleName)
			.containsExactlyInAnyOrder("AutoConfigureRateLimits", "WithoutRateLimits", "TestRateLimits",
					"RateLimitAssertions", "RateLimitAssert", "RateLimitResultMatcher");
	}

	@Test
	void needsNoTestFramework() {
		noClasses().should().dependOnClassesThat().resideInAnyPackage("org.junit..", "org.testng..").check(CLASSES);
	}

	@Test
	void needsMocksAndReactiveTypesInOnePlaceEach() {
		noClasses().that()
			.doNotHaveSimpleName("UnlimitedContextWarning")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.mockito..")
			.check(CLASSES);
		noClasses().that()
			.haveSimpleNameNotStartingWith("LoopbackWebFilter")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("reactor..")
			.check(CLASSES);
	}

	@Test
	void keepsTheRulesOfTheHouse() {
		HouseRules.check(CLASSES);
	}

}
