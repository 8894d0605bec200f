/**
 * The renderer of the documentation: Markdown, as GitHub shows it, to a static site with
 * navigation and search.
 */
@NullMarked
package io.github.ratelimit.site;

import org.jspecify.annotations.NullMarked;
