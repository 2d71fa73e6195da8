import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** A selector of series in a PromQL expression. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

export interface Matcher {
  readonly label: string;
  /** One of `=`, `!=`, `=~` and `!~`. */
  readonly operator: string;
  readonly value: string;
}

export interface Expression {
  readonly selectors: readonly Selector[];
  /** Labels of `by`, `without`, `on` and the like. */
  readonly groupings: readonly string[];
}

/** Values for what Grafana replaces in an expression. */
const GRAFANA_VARIABLES: readonly (readonly [string, string])[] = [
  ['$__rate_interval', '5m'],
  ['$instance', '.*'],
];

/** @throws Error for a text that is no PromQL. */
export function parsePromql(text: string): Expression {
  const source = GRAFANA_VARIABLES.reduce((before, [name, value]) => before.replaceAll(name, value), text);
  const found = { selectors: [] as Selector[], groupings: [] as string[] };
  const textOf = (node: SyntaxNode | null) => (node ? source.slice(node.from, node.to) : '');
  parser.parse(source).iterate({
    enter: ({ name, type, node }) => {
      if (type.isError) throw new Error(`This is no PromQL at ${node.from}: ${source}`);
      if (name === 'GroupingLabels') found.groupings.push(...node.getChildren('LabelName').map(textOf));
      if (name !== 'VectorSelector') return;
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      found.selectors.push({
        metric: textOf(node.getChild('Identifier')),
        matchers: matchers.map((matcher) => ({
          label: textOf(matcher.getChild('LabelName')),
          operator: textOf(matcher.getChild('MatchOp')),
          value: textOf(matcher.getChild('StringLiteral')).slice(1, -1),
        })),
      });
    },
  });
  return found;
}
