package io.github.ratelimit.jdbc;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.ratelimit.HouseRules;
import org.junit.jupiter.api.Test;

class JdbcArchitectureTests {

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages("io.github.ratelimit.jdbc", "io.github.ratelimit.autoconfigure.jdbc");

	@Test
	void keepsTheRulesOfTheHouse() {
		HouseRules.check(CLASSES);
	}

}
