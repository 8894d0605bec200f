package io.github.ratelimit.spring.graphql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;

import graphql.execution.conditional.ConditionalNodes;
import graphql.introspection.Introspection;
import graphql.language.DirectivesContainer;
import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import graphql.language.TypeName;
import graphql.schema.GraphQLCompositeType;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * A walk through the selections of an operation as it would be executed. It is bounded by
 * the selections that it visits, not by the fields that it finds: spreads of spreads
 * double the visits with each level of a short document, and may all end in one field. It
 * does not recurse, as a document may nest deeper than a stack.
 */
final class FieldWalk {

	/** The selections that are visited before the operation pays. */
	static final int MOST_VISITS = 10_000;

	private static final ConditionalNodes CONDITIONS = new ConditionalNodes();

	private final ValidOperation operation;

	private final GraphQLSchema schema;

	private final ObjectTypes types;

	/** Whether selections are included, as each may be visited often. */
	private final IdentityHashMap<Selection<?>, Boolean> included = new IdentityHashMap<>();

	private final Deque<SelectionScope> scopes = new ArrayDeque<>();

	private int visits;

	/** Whether a path has more spreads than there are fragments, so one of them twice. */
	private boolean circular;

	FieldWalk(ValidOperation operation, GraphQLSchema schema, ObjectTypes types) {
		this.operation = operation;
		this.schema = schema;
		this.types = types;
	}

	/**
	 * Returns the fields, each after the one that it is selected from; {@code null} if
	 * there are too many selections, and none if a fragment spreads itself.
	 */
	@Nullable List<SelectedField> fields() {
		GraphQLObjectType root = this.operation.root(this.schema);
		this.scopes
			.add(new SelectionScope(this.operation.definition().getSelectionSet(), root, this.types.of(root), 0));
		List<SelectedField> fields = new ArrayList<>(selected(null));
		for (int next = 0; next < fields.size() && !isOver(); next++) {
			SelectedField parent = fields.get(next);
			this.scopes.addAll(parent.children());
			fields.addAll(selected(parent));
		}
		if (this.circular) {
			return List.of();
		}
		return (this.visits <= MOST_VISITS) ? fields : null;
	}

	private boolean isOver() {
		return this.circular || this.visits > MOST_VISITS;
	}

	/** Returns the number of selections that were visited. */
	int visits() {
		return this.visits;
	}

	/** Visits the selections in the current scopes, and those in their fragments. */
	private List<SelectedField> selected(@Nullable SelectedField parent) {
		MergedFields fields = new MergedFields();
		while (!this.scopes.isEmpty() && !isOver()) {
			SelectionScope scope = this.scopes.element();
			if (!scope.selections().hasNext()) {
				this.scopes.remove();
			}
			else {
				visit(scope.selections().next(), scope, fields, parent);
			}
		}
		return fields.all();
	}

	private void visit(Selection<?> selection, SelectionScope scope, MergedFields fields,
			@Nullable SelectedField parent) {
		this.visits++;
		if (!this.included.computeIfAbsent(selection, this::isIncluded)) {
			return;
		}
		if (selection instanceof Field field) {
			if (!Introspection.TypeNameMetaFieldDef.getName().equals(field.getName())) {
				fields.add(field(field, scope, parent));
			}
		}
		else if (selection instanceof InlineFragment fragment) {
			enter(fragment.getTypeCondition(), fragment.getSelectionSet(), scope, scope.spreads());
		}
		else if (selection instanceof FragmentSpread spread) {
			FragmentDefinition fragment = Objects.requireNonNull(this.operation.fragments().get(spread.getName()));
			this.circular = scope.spreads() >= this.operation.fragments().size();
			enter(fragment.getTypeCondition(), fragment.getSelectionSet(), scope, scope.spreads() + 1);
		}
	}

	private boolean isIncluded(Selection<?> selection) {
		return CONDITIONS.shouldInclude((DirectivesContainer<?>) selection, this.operation.variables().toMap(),
				this.schema, null);
	}

	private SelectedField field(Field selection, SelectionScope scope, @Nullable SelectedField parent) {
		SelectedField field = new SelectedField(parent, selection, scope.objects());
		SelectionSet selected = selection.getSelectionSet();
		if (selected != null) {
			GraphQLCompositeType type = (GraphQLCompositeType) GraphQLTypeUtil
				.unwrapAll(Introspection.getFieldDef(this.schema, scope.type(), selection.getName()).getType());
			field.children().add(new SelectionScope(selected, type, this.types.of(type), scope.spreads()));
		}
		return field;
	}

	/** Continues with the selections of a fragment, if an object can be of its type. */
	private void enter(@Nullable TypeName condition, SelectionSet selected, SelectionScope scope, int spreads) {
		GraphQLCompositeType type = (condition != null)
				? (GraphQLCompositeType) Objects.requireNonNull(this.schema.getType(condition.getName()))
				: scope.type();
		BitSet objects = (BitSet) scope.objects().clone();
		objects.and(this.types.of(type));
		if (!objects.isEmpty()) {
			this.scopes.push(new SelectionScope(selected, type, objects, spreads));
		}
	}

}
