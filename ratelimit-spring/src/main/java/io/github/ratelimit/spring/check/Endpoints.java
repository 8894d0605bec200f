package io.github.ratelimit.spring.check;

import java.util.List;
import java.util.Optional;

/**
 * The endpoints of an application, and all paths that it serves.
 */
public interface Endpoints {

	/**
	 * Returns the endpoints.
	 * @return the paths that methods serve
	 */
	List<Endpoint> all();

	/**
	 * Returns the paths that are served.
	 * @return the paths, or nothing if they are not known
	 */
	Optional<ServedPaths> served();

	/**
	 * Returns the path below which a server has the application.
	 * @return the path, empty for none
	 */
	String contextPath();

	/**
	 * Returns the property that sets the context path.
	 * @return the name of the property
	 */
	String contextPathProperty();

}
