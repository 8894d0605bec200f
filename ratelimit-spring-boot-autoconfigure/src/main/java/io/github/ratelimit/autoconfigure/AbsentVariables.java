package io.github.ratelimit.autoconfigure;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

import io.github.ratelimit.spring.expression.Variable;
import io.github.ratelimit.spring.key.CallerSource;
import io.github.ratelimit.spring.key.MessageCallerSource;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import io.github.ratelimit.spring.web.reactive.ReactiveRequests;
import io.github.ratelimit.spring.web.servlet.ServletRequests;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The variables of expressions that have a value for no call of an application, as it
 * serves no requests. Reads the types of beans and creates none.
 */
final class AbsentVariables {

	private final ListableBeanFactory beans;

	AbsentVariables(ListableBeanFactory beans) {
		this.beans = beans;
	}

	/** Returns the variables. */
	Set<Variable> find() {
		Set<Variable> absent = EnumSet.noneOf(Variable.class);
		if (!servesCallers()) {
			absent.addAll(Set.of(Variable.REQUEST, Variable.PRINCIPAL, Variable.USER));
		}
		if (!isAny(ServletRequests.class) && !isAny(ReactiveRequests.class)) {
			absent.add(Variable.RESPONSE);
		}
		return absent;
	}

	private boolean servesCallers() {
		return Arrays.stream(names(CallerSource.class))
			.anyMatch((name) -> !this.beans.isTypeMatch(name, MessageCallerSource.class))
				|| isAny(ReactiveCallerSource.class);
	}

	private boolean isAny(Class<?> type) {
		return names(type).length > 0;
	}

	private String[] names(Class<?> type) {
		return this.beans.getBeanNamesForType(type, true, false);
	}

}
