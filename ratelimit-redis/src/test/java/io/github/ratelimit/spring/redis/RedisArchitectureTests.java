package io.github.ratelimit.spring.redis;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.ratelimit.HouseRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

class RedisArchitectureTests {

	private static final String ROOT = "io.github.ratelimit.spring.redis";

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(ROOT);

	@ParameterizedTest
	@CsvSource({ "script, driver", "script, roundtrip", "driver, roundtrip" })
	void pointsOneWay(String lower, String upper) {
		noClasses().that()
			.resideInAPackage(ROOT + "." + lower)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + "." + upper)
			.check(CLASSES);
	}

	@Test
	void keepsTheRulesOfTheHouse() {
		HouseRules.check(CLASSES);
	}

}
