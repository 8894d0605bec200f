package io.github.ratelimit.spring.ai;

import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.ratelimit.HouseRules;
import io.github.ratelimit.autoconfigure.ai.RateLimitAiAutoConfiguration;
import io.github.ratelimit.autoconfigure.ai.RateLimitMcpAutoConfiguration;
import io.github.ratelimit.spring.mcp.ToolCalls;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

class AiArchitectureTests {

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages("io.github.ratelimit.spring.ai", "io.github.ratelimit.spring.mcp",
				"io.github.ratelimit.autoconfigure.ai");

	@Test
	void promisesFewTypes() {
		assertThat(CLASSES.stream()
			.filter((type) -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC)))
			.extracting(JavaClass::getSimpleName)
			.containsExactlyInAnyOrder("RateLimitAiAutoConfiguration", "RateLimitMcpAutoConfiguration",
					"RateLimitedChatClients", "RateLimitedModels", "RateLimitedTools", "RateLimitedToolsPostProcessor",
					"ToolCalls", "ToolPolicies", "ChatPolicies", "ChatCallers", "TokenReserve", "TokenPrice",
					"TokenPrices", "TokenSettings");
	}

	@Test
	void onlyTheWiringKnowsSpringBoot() {
		noClasses().that()
			.resideInAPackage("io.github.ratelimit.spring..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.boot..", "io.github.ratelimit.autoconfigure..")
			.check(CLASSES);
	}

	@Test
	void importsTheRoomsOfKeysAndClientsAlone() {
		noClasses().that()
			.resideInAnyPackage("io.github.ratelimit.spring.ai..", "io.github.ratelimit.spring.mcp..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(Stream
				.of("redis", "control", "method", "web", "metrics", "actuate", "override", "top", "event", "check")
				.map((room) -> "io.github.ratelimit.spring." + room + "..")
				.toArray(String[]::new))
			.check(CLASSES);
	}

	@Test
	void listsItsAutoConfiguration() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.contains(RateLimitAiAutoConfiguration.class.getName(), RateLimitMcpAutoConfiguration.class.getName());
	}

	@Test
	void limitsModelsAndToolsApart() {
		noClasses().that()
			.resideInAPackage("io.github.ratelimit.spring.ai..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.github.ratelimit.spring.mcp..")
			.check(CLASSES);
		noClasses().that()
			.resideInAPackage("io.github.ratelimit.spring.mcp..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("io.github.ratelimit.spring.ai..", "io.github.ratelimit.spring.client..")
			.check(CLASSES);
	}

	/** The thread-local of tools is removed after each call. */
	@Test
	void keepsTheRulesOfTheHouse() {
		HouseRules.hasNoCirclesOfPackages(CLASSES);
		HouseRules.hasNoCirclesOfClasses(CLASSES);
		HouseRules.keepsPackagesSmall(CLASSES);
		HouseRules.marksEveryPackageForNullness(CLASSES);
		HouseRules.leavesNothingWithThreadsOfOthers(
				CLASSES.that(DescribedPredicate.describe("others", (type) -> !type.isEquivalentTo(ToolCalls.class))));
	}

}
