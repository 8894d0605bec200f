package io.github.ratelimit.sample.docs;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.decision.Decision;

import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * A controller that asks a smaller model once a limit in shadow is used up.
 */
@RestController
@Profile("docs")
class Answers {

	private final Models models = new Models();

	@PostMapping("/answers")
	@RateLimited("large-model")
	Answer answer(@RequestBody Question question, Decision decision) {
		return decision.isShadowDeniedBy("large-model") ? this.models.small(question) : this.models.large(question);
	}

	/** A question. */
	record Question(String text) {

	}

	/** The answer of a model. */
	record Answer(String model) {

	}

	/** Two models. */
	static class Models {

		Answer small(Question question) {
			return new Answer("small");
		}

		Answer large(Question question) {
			return new Answer("large");
		}

	}

}
