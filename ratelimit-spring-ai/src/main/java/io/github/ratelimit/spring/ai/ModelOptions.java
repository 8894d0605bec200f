package io.github.ratelimit.spring.ai;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.beans.BeanUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The options of a call that limits depend on.
 *
 * @param model the name of the model, {@code null} if the options have none
 * @param maxTokens the most tokens of a completion, {@code null} if the options have no
 * maximum
 */
record ModelOptions(@Nullable String model, @Nullable Long maxTokens) {

	/** No options. */
	static final ModelOptions NONE = new ModelOptions(null, null);

	/** The maximum of those models of OpenAI that reject the other one. */
	private static final String MAX_COMPLETION_TOKENS = "maxCompletionTokens";

	static ModelOptions of(@Nullable ChatOptions options) {
		return (options != null) ? new ModelOptions(options.getModel(), maxTokens(options)) : NONE;
	}

	/** Returns these options, with those of a model where there are none. */
	ModelOptions orElse(ModelOptions defaults) {
		return new ModelOptions((this.model != null) ? this.model : defaults.model,
				(this.maxTokens != null) ? this.maxTokens : defaults.maxTokens);
	}

	private static @Nullable Long maxTokens(ChatOptions options) {
		Object most = options.getMaxTokens();
		PropertyDescriptor other = (most == null)
				? BeanUtils.getPropertyDescriptor(options.getClass(), MAX_COMPLETION_TOKENS) : null;
		Method read = (other != null) ? other.getReadMethod() : null;
		if (read != null) {
			most = ReflectionUtils.invokeMethod(read, options);
		}
		return (most instanceof Number number) ? Long.valueOf(number.longValue()) : null;
	}

	/** Returns the name of the model for prices and pauses. */
	String name() {
		return (this.model != null) ? this.model : TokenPrices.DEFAULT;
	}

}
