package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Runs scripts by the means of one Redis driver: by name, and with the whole text where
 * Redis does not know the name. Throws whatever the driver throws.
 */
interface ScriptRunner {

	List<Object> run(ScriptCall call);

	CompletionStage<List<Object>> runAsync(ScriptCall call);

}
