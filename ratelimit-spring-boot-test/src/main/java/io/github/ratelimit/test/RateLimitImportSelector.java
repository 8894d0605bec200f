package io.github.ratelimit.test;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;

/**
 * A selector of the auto-configurations that limits need in a slice, which has but a few:
 * all of this project, and that of proxies. Others are sorted among them as in an
 * application.
 */
final class RateLimitImportSelector extends AutoConfigurationImportSelector {

	private static final String OURS = "io.github.ratelimit.";

	/** Left to the application, as a slice lacks most users of policies. */
	private static final String CHECKS = OURS + "autoconfigure.check.RateLimitCheckAutoConfiguration";

	private static final String USERS = OURS + "test.user.RateLimitTestUserAutoConfiguration";

	@Override
	protected boolean isEnabled(AnnotationMetadata metadata) {
		return true;
	}

	@Override
	protected @Nullable AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
		return null;
	}

	@Override
	protected List<String> getCandidateConfigurations(AnnotationMetadata metadata,
			@Nullable AnnotationAttributes attributes) {
		Stream<String> ours = super.getCandidateConfigurations(metadata, attributes).stream()
			.filter((name) -> name.startsWith(OURS) && !name.equals(CHECKS));
		return Stream.concat(Stream.of(AopAutoConfiguration.class.getName(), USERS), ours).toList();
	}

	@Override
	protected Set<String> getExclusions(AnnotationMetadata metadata, @Nullable AnnotationAttributes attributes) {
		return Set.of();
	}

}
