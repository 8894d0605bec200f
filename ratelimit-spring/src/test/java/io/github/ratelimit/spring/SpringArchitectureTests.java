package io.github.ratelimit.spring;

import java.util.List;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.ratelimit.HouseRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

class SpringArchitectureTests {

	private static final String ROOT = "io.github.ratelimit.spring";

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(ROOT);

	@ParameterizedTest
	@CsvSource({ "top, key", "event, key", "control, key", "method, charge:expression:key", "charge, expression",
			"key, expression:finding:form", "expression, finding", "form, ''",
			"web, charge:expression:form:method:key:rejection", "metrics, ''", "consumption, key", "override, ''",
			"finding, ''", "usage, key", "login, charge:expression:key",
			"check, event:expression:finding:key:method:web", "client, control:charge", "rejection, ''" })
	void roomsDoNotImportOneAnother(String room, String others) {
		List<String> allowed = List.of(others.split(":"));
		String[] forbidden = Stream
			.of("control", "method", "charge", "expression", "key", "web", "metrics", "override", "client", "top",
					"event", "finding", "check", "usage", "rejection", "login", "consumption", "form")
			.filter((name) -> !name.equals(room) && !allowed.contains(name))
			.map((name) -> ROOT + "." + name + "..")
			.toArray(String[]::new);
		noClasses().that()
			.resideInAPackage(ROOT + "." + room + "..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(forbidden)
			.check(CLASSES);
	}

	@ParameterizedTest
	@CsvSource({ "io.micrometer.., metrics", "org.springframework.aop.., method", "com.github.benmanes.., override",
			"org.springframework.http.client.., client", "org.springframework.web.reactive.function.client.., client" })
	void everyTechnologyHasOneRoom(String technology, String room) {
		noClasses().that()
			.resideOutsideOfPackages(ROOT + "." + room + "..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(technology)
			.check(CLASSES);
	}

	@Test
	void onlyTheMethodRoomReadsTheAnnotation() {
		noClasses().that()
			.resideOutsideOfPackage(ROOT + ".method")
			.should()
			.dependOnClassesThat()
			.haveFullyQualifiedName("io.github.ratelimit.RateLimited")
			.check(CLASSES);
	}

	@Test
	void keepsTheRulesOfTheHouse() {
		HouseRules.check(CLASSES);
	}

}
