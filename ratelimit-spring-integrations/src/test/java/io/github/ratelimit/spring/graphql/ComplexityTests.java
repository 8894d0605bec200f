package io.github.ratelimit.spring.graphql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import graphql.analysis.FieldComplexityCalculator;
import graphql.execution.CoercedVariables;
import graphql.language.Document;
import graphql.language.NodeUtil;
import graphql.parser.Parser;
import graphql.parser.ParserEnvironment;
import graphql.parser.ParserOptions;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The complexity of operations, against GraphQL Java's own normalization, and the bound
 * of the visits that it takes.
 */
@Tag("long")
class ComplexityTests {

	private static final String SCHEMA = """
			type Query { friend: User node: Node any: Any search(text: String!): [User!] }
			interface Node { id: ID friend: Node }
			union Any = User | Post
			type User implements Node { id: ID friend: User name: String node: Node any: Any }
			type Post implements Node { id: ID friend: Node title: String author: User }
			""";

	private static final GraphQLSchema SHOP = schema();

	private static final FieldComplexityCalculator FIELDS = (field, children) -> 1 + children;

	private static final Map<String, Object> VARIABLES = Map.of("yes", true, "no", false);

	@Test
	void countsTheFieldsOfTheNormalizedOperation() {
		RandomOperations operations = new RandomOperations(20_261_127);
		List<Integer> counts = new ArrayList<>();
		for (int run = 0; run < 500; run++) {
			String document = operations.next();
			Document parsed = parsed(document);
			int complexity = complexity(parsed, VARIABLES, FIELDS);
			if (complexity != Integer.MAX_VALUE) {
				assertThat(complexity).as(document)
					.isEqualTo(NormalizedComplexity.of(SHOP, parsed, CoercedVariables.of(VARIABLES)));
				counts.add(complexity);
			}
		}
		assertThat(counts).hasSizeGreaterThan(300)
			.contains(1)
			.anySatisfy((count) -> assertThat(count).isGreaterThan(50));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "{ node { id ... on User { id name } } } | 3",
			"{ node { ... on User { id } ... on Post { id } ... on Node { id } } } | 2",
			"{ node { ... on User { x: name } ... on Post { x: title } } } | 3",
			"{ node { ... on User { friend { name } } friend { id } } } | 4",
			"{ node { ... on User { ... on Node { ... on Post { title } } } } } | 1",
			"{ any { __typename ... on Node { id } } } | 2", "{ friend { ...f name } } fragment f on Node { id } | 3",
			"{ __schema { types { name fields { name } } } __type(name: \"User\") { name } } | 7",
			"{ friend { name } friend { name id } } | 3" })
	void countsAFieldOnceAtEachPlace(String document, int complexity) {
		assertThat(complexity(parsed(document), Map.of(), FIELDS)).isEqualTo(complexity);
	}

	@Test
	void givesTheCalculatorTheFieldWithItsArgumentsAndParents() {
		List<String> seen = new ArrayList<>();
		Document document = parsed("query($t: String!) { search(text: $t) { ...f } } fragment f on User { name }");
		int complexity = complexity(document, Map.of("t", "x"), (field, children) -> {
			seen.add(field.getParentType().getName() + "." + field.getField().getName() + field.getArguments()
					+ (field.getParentEnvironment() != null) + children);
			return 3 + 10 * children;
		});
		assertThat(seen).containsExactly("User.name{}true0", "Query.search{text=x}false3");
		assertThat(complexity).isEqualTo(33);
	}

	@Test
	void countsAFieldWhoseArgumentIsInvalid() {
		Document document = parsed("query($t: String = \"x\") { search(text: $t) { name } friend { name } }");
		assertThat(complexity(document, Collections.singletonMap("t", null), FIELDS)).isEqualTo(4);
	}

	@ParameterizedTest
	@Timeout(10)
	@ValueSource(strings = { "friend { ...f%1$d } b: friend { ...f%1$d }", "...f%1$d ...f%1$d",
			"...f%1$d @skip(if: true) ...f%1$d ... { ...f%1$d }", "... on Node { ... on User { ...f%1$d } } ...f%1$d" })
	void visitsABoundedNumberOfSelections(String selections) {
		Document document = nested(selections);
		FieldWalk walk = walk(document);
		assertThat(walk.fields()).isNull();
		assertThat(walk.visits()).isEqualTo(FieldWalk.MOST_VISITS + 1);
		assertThat(complexity(document, Map.of(), FIELDS)).isEqualTo(Integer.MAX_VALUE);
	}

	@ParameterizedTest
	@CsvSource({ "name ...f%1$d, 2", "friend { ...f%1$d }, 1002" })
	void countsFragmentsThatNestDeeply(String selections, int complexity) {
		assertThat(complexity(nested(selections), Map.of(), FIELDS)).isEqualTo(complexity);
	}

	@ParameterizedTest
	@ValueSource(strings = { "...f", "name ... on Node { ...f } friend { name }", "friend { ...g }",
			"a: friend { ...f } b: friend { ...f }" })
	void takesAFragmentThatSpreadsItselfForInvalid(String selections) {
		Document document = parsed(
				"{ friend { ...f } } fragment f on User { %s } fragment g on User { friend { ...f } }"
					.formatted(selections));
		assertThat(complexity(document, Map.of(), FIELDS)).isOne();
	}

	@Test
	void countsUpToTheMostSelections() {
		String names = " name".repeat(FieldWalk.MOST_VISITS - 1);
		assertThat(complexity(parsed("{ friend {" + names + " } }"), Map.of(), FIELDS)).isEqualTo(2);
		assertThat(complexity(parsed("{ friend {" + names + " name } }"), Map.of(), FIELDS))
			.isEqualTo(Integer.MAX_VALUE);
	}

	/** Returns an operation with a thousand levels of fragments. */
	private static Document nested(String selections) {
		return parsed("{ friend { ...f0 } }" + IntStream.range(0, 1000)
			.mapToObj((level) -> fragment(level, selections.formatted(level + 1)))
			.collect(Collectors.joining()) + fragment(1000, "name"));
	}

	private static String fragment(int level, String selections) {
		return " fragment f%d on User { %s }".formatted(level, selections);
	}

	private static int complexity(Document document, Map<String, Object> variables, FieldComplexityCalculator fields) {
		return Complexity.of(operation(document, CoercedVariables.of(variables)), SHOP, fields);
	}

	private static FieldWalk walk(Document document) {
		return new FieldWalk(operation(document, CoercedVariables.emptyVariables()), SHOP, new ObjectTypes(SHOP));
	}

	private static ValidOperation operation(Document document, CoercedVariables variables) {
		NodeUtil.GetOperationResult found = NodeUtil.getOperation(document, null);
		return new ValidOperation(found.operationDefinition, found.fragmentsByName, variables);
	}

	private static Document parsed(String document) {
		ParserOptions most = ParserOptions.newParserOptions().maxTokens(100_000).build();
		return Parser.parse(ParserEnvironment.newParserEnvironment().document(document).parserOptions(most).build());
	}

	private static GraphQLSchema schema() {
		RuntimeWiring.Builder wiring = RuntimeWiring.newRuntimeWiring();
		for (String type : new String[] { "Node", "Any" }) {
			wiring.type(type, (builder) -> builder.typeResolver((environment) -> null));
		}
		return new SchemaGenerator().makeExecutableSchema(new SchemaParser().parse(SCHEMA), wiring.build());
	}

}
