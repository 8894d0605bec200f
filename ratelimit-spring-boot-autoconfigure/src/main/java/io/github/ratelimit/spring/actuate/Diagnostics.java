package io.github.ratelimit.spring.actuate;

import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.spring.finding.Finding;
import org.jspecify.annotations.Nullable;

/**
 * The facts by which an operator can tell whether an application is set up as meant.
 *
 * @param storeReason why the store was chosen
 * @param connection the name of the bean that connects to the store; {@code null} if
 * there is none
 * @param findings supplies the likely mistakes that were found so far
 */
public record Diagnostics(String storeReason, @Nullable String connection, Supplier<List<Finding>> findings) {

}
