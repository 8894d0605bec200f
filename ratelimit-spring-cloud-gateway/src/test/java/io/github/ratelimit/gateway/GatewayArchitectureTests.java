package io.github.ratelimit.gateway;

import java.util.List;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.ratelimit.HouseRules;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
class GatewayArchitectureTests {

	private static final String ROOT = "io.github.ratelimit.gateway";

	private static final String AUTOCONFIGURE = ROOT + ".autoconfigure";

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(ROOT);

	@Test
	void listsEveryAutoConfigurationInOrder() {
		List<String> wired = CLASSES.stream()
			.filter((type) -> type.isAnnotatedWith(AutoConfiguration.class))
			.map(JavaClass::getName)
			.sorted()
			.toList();
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.filteredOn((name) -> name.startsWith(ROOT))
			.containsExactlyElementsOf(wired)
			.isNotEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "webflux, org.springframework.cloud.gateway.server.mvc..", "webflux, jakarta.servlet..",
			"webmvc, reactor..", "webmvc, org.springframework.web.reactive.." })
	void flavoursDoNotMix(String flavour, String other) {
		noClasses().that()
			.resideInAPackage(ROOT + '.' + flavour + "..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(other)
			.check(CLASSES);
	}

	@Test
	void onlyTheWiringKnowsSpringBoot() {
		noClasses().that()
			.resideOutsideOfPackage(AUTOCONFIGURE)
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.boot..", "io.github.ratelimit.autoconfigure..")
			.check(CLASSES);
	}

	@Test
	void followsTheRulesOfTheHouse() {
		HouseRules.check(CLASSES);
	}

}
