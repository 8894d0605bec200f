package io.github.ratelimit.pairs;

import java.util.List;

/**
 * The expected effect of a request.
 *
 * @param response what its caller sees
 * @param seen what the answer has seen left while it was written, if there was one
 * @param inShadow what the decision says is left of limits in shadow, in ascending order,
 * if a controller received one
 */
record Expected(Response response, List<List<Long>> seen, List<List<Long>> inShadow) {

}
