package io.github.ratelimit;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of architecture that hold in every module.
 */
public final class HouseRules {

	private static final int LARGEST_PACKAGE = 20;

	private static final String BEAN = "org.springframework.context.annotation.Bean";

	private HouseRules() {
	}

	/**
	 * Checks all rules.
	 * @param classes the classes of a module
	 */
	public static void check(JavaClasses classes) {
		hasNoCirclesOfPackages(classes);
		hasNoCirclesOfClasses(classes);
		keepsPackagesSmall(classes);
		leavesNothingWithThreadsOfOthers(classes);
		marksEveryPackageForNullness(classes);
		givesBeansNamesOfItsOwn(classes);
	}

	/**
	 * Checks that packages form no circle.
	 * @param classes the classes of a module
	 */
	public static void hasNoCirclesOfPackages(JavaClasses classes) {
		SlicesRuleDefinition.slices().matching("io.github.ratelimit.(**)").should().beFreeOfCycles().check(classes);
	}

	/**
	 * Checks that classes within a package form no circle.
	 * @param classes the classes of a module
	 */
	public static void hasNoCirclesOfClasses(JavaClasses classes) {
		SlicesRuleDefinition.slices().assignedFrom(new TopLevelClasses()).should().beFreeOfCycles().check(classes);
	}

	/**
	 * Checks that no package has too many top-level types.
	 * @param classes the classes of a module
	 */
	public static void keepsPackagesSmall(JavaClasses classes) {
		assertThat(classes.stream()
			.filter((type) -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting())))
			.allSatisfy((room, types) -> assertThat(types).as(room).isLessThanOrEqualTo(LARGEST_PACKAGE));
	}

	/**
	 * Checks that classes leave nothing with threads of a container, which outlive the
	 * applications in it.
	 * @param classes the classes of a module
	 */
	public static void leavesNothingWithThreadsOfOthers(JavaClasses classes) {
		noClasses().should().dependOnClassesThat().areAssignableTo(ThreadLocal.class).check(classes);
		Set<String> timers = Set.of("delayedExecutor", "orTimeout", "completeOnTimeout");
		noClasses().should()
			.callMethodWhere(target(owner(assignableTo(CompletableFuture.class)))
				.and(target(describe("a timer of the JVM", (method) -> timers.contains(method.getName())))))
			.check(classes);
	}

	/**
	 * Checks that every package is marked for nullness.
	 * @param classes the classes of a module
	 */
	public static void marksEveryPackageForNullness(JavaClasses classes) {
		assertThat(classes.stream().map(JavaClass::getPackage).distinct())
			.allMatch((room) -> room.isAnnotatedWith(NullMarked.class));
	}

	/**
	 * Checks that beans have names which beans of an application never have, but for
	 * those of which Spring Boot makes a name in its endpoints.
	 * @param classes the classes of a module
	 */
	public static void givesBeansNamesOfItsOwn(JavaClasses classes) {
		assertThat(classes.stream()
			.flatMap((type) -> type.getMethods().stream())
			.filter((method) -> method.isAnnotatedWith(BEAN))
			.map((method) -> method.getAnnotationOfType(BEAN).get("value").map(Object[].class::cast).orElseThrow())
			.map(Arrays::toString))
			.allMatch((names) -> names.matches("\\[(io\\.github\\.ratelimit\\.\\w+|ratelimitHealthIndicator)]"));
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
