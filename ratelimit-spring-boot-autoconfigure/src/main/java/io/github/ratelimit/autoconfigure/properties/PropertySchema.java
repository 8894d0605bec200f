package io.github.ratelimit.autoconfigure.properties;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.ratelimit.autoconfigure.properties.PolicyProperties.PlanProperties;
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

	private static final ResolvableType LIMITS = ResolvableType.forClassWithGenerics(List.class, String.class);

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
			return ofMap(type, name, index);
		}
		if (raw == PlanProperties.class && (index == name.getNumberOfElements() || name.isNumericIndex(index))) {
			return find(LIMITS, name, index);
		}
		if (index >= name.getNumberOfElements()) {
			return new Entry(type, null, List.of());
		}
		if (raw == List.class && name.isNumericIndex(index)) {
			return find(type.getGeneric(0), name, index + 1);
		}
		return raw.isRecord() ? component(type, name, index) : unknown(type, name, index, List.of());
	}

	/** Finds an entry of a map, or the group that a map itself is mistaken for. */
	private static Entry ofMap(ResolvableType type, ConfigurationPropertyName name, int index) {
		Class<?> value = type.getGeneric(1).toClass();
		boolean isGroup = value.isRecord() && value != PlanProperties.class;
		return (isGroup || index < name.getNumberOfElements()) ? find(type.getGeneric(1), name, index + 1)
				: new Entry(type, null, List.of());
	}

	private static Entry component(ResolvableType type, ConfigurationPropertyName name, int index) {
		String element = name.getElement(index, Form.UNIFORM);
		for (RecordComponent component : components(type)) {
			if (component.getName().equalsIgnoreCase(element)) {
				return find(ResolvableType.forMethodReturnType(component.getAccessor()), name, index + 1);
			}
		}
		return unknown(type, name, index, names(type));
	}

	/** Returns the names of the properties of a group. */
	static List<String> names(ResolvableType group) {
		return components(group).stream().map(PropertySchema::dashed).toList();
	}

	/** Returns the components of a group that have names. */
	private static List<RecordComponent> components(ResolvableType group) {
		List<RecordComponent> components = new ArrayList<>(List.of(group.toClass().getRecordComponents()));
		if (group.toClass() == PlanProperties.class) {
			components.removeIf((component) -> component.getName().equals(PlanProperties.UNNAMED));
		}
		return components;
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
