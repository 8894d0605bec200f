package io.github.ratelimit.autoconfigure.jdbc;

import io.github.ratelimit.autoconfigure.properties.PropertyGroup;

/**
 * The group of the properties for the store in PostgreSQL.
 */
final class JdbcPropertyGroup implements PropertyGroup {

	@Override
	public String name() {
		return "jdbc";
	}

	@Override
	public Class<?> type() {
		return JdbcProperties.class;
	}

}
