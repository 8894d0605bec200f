package io.github.ratelimit.autoconfigure.properties;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

/**
 * The names and types of all properties, read from the records that properties bind to.
 */
final class PropertySchema {

	private static final ResolvableType ROOT = ResolvableType.forClass(RateLimitProperties.class);

	private static final int PREFIX_LENGTH = 1;

	private static final List<String> PARTS_OF_PLAN = List.of("limits", "mode");

	private PropertySchema() {
	}

	/** Returns what is known of a property that begins with the prefix. */
	static Entry find(ConfigurationPropertyName name) {
		for (PropertyGroup group : PropertyGroups.all()) {
			if (group.name().equals(name.getElement(PREFIX_LENGTH, Form.UNIFORM))) {
				return find(ResolvableType.forClass(group.type()), name, PREFIX_LENGTH + 1);
			}
		}
		return find(ROOT, name, PREFIX_LENGTH);
	}

	private static Entry find(ResolvableType type, ConfigurationPropertyName name, int index) {
		Class<?> raw = type.toClass();
		if (raw == Map.class) {
			ResolvableType value = type.getGeneric(1);
			return value.toClass().isRecord() ? find(value, name, index + 1) : plan(type, name, index + 1);
		}
		if (index >= name.getNumberOfElements()) {
			return new Entry(type, null, List.of());
		}
		if (raw == List.class && name.isNumericIndex(index)) {
			return find(type.getGeneric(0), name, index + 1);
		}
		return raw.isRecord() ? component(type, name, index) : unknown(type, name, index, List.of());
	}

	/** Finds a part of a plan, whose value is its limits or a group. */
	private static Entry plan(ResolvableType type, ConfigurationPropertyName name, int index) {
		boolean isKnown = index >= name.getNumberOfElements() || name.isNumericIndex(index)
				|| PARTS_OF_PLAN.contains(name.getElement(index, Form.UNIFORM));
		return isKnown ? new Entry(type, null, List.of()) : unknown(type, name, index, PARTS_OF_PLAN);
	}

	private static Entry component(ResolvableType type, ConfigurationPropertyName name, int index) {
		String element = name.getElement(index, Form.UNIFORM);
		RecordComponent[] components = type.toClass().getRecordComponents();
		for (RecordComponent component : components) {
			if (component.getName().equalsIgnoreCase(element)) {
				return find(ResolvableType.forMethodReturnType(component.getAccessor()), name, index + 1);
			}
		}
		return unknown(type, name, index, names(type));
	}

	/** Returns the names of the properties of a group. */
	static List<String> names(ResolvableType group) {
		return Arrays.stream(group.toClass().getRecordComponents()).map(PropertySchema::dashed).toList();
	}

	private static Entry unknown(ResolvableType parent, ConfigurationPropertyName name, int index, List<String> known) {
		return new Entry(parent, name.chop(index), known);
	}

	private static String dashed(RecordComponent component) {
		return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

	/**
	 * A property.
	 *
	 * @param declared the type of its value, or that of its parent if there is no such
	 * property
	 * @param parent the longest part of an unknown name that is known
	 * @param known the names that the parent has
	 */
	record Entry(ResolvableType declared, @Nullable ConfigurationPropertyName parent, List<String> known) {

		/** Returns the type of its value, or null if there is no such property. */
		@Nullable Class<?> type() {
			return (this.parent == null) ? this.declared.toClass() : null;
		}

	}

}
