import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import { visitSource } from './source-tree.ts';

/** A regular expression of the service, and the files that have it. */
export interface SourceExpression {
  readonly pattern: string;
  readonly flags: string;
  readonly files: Set<string>;
}

export interface SourceExpressions {
  readonly literals: readonly SourceExpression[];
  /** Files that make an expression from a string, which no tool can examine. */
  readonly constructed: readonly string[];
}

/** Finds the regular expressions of the service. */
export function sourceExpressions(): SourceExpressions {
  const literals = new Map<string, SourceExpression>();
  const constructed: string[] = [];
  visitSource((node, file) => {
    if (node.kind === SyntaxKind.RegularExpressionLiteral)
      add(literals, (node as Node & { text: string }).text, file);
    if (isIdentifier(node) && node.text === 'RegExp' && isCalled(node)) constructed.push(file);
  });
  return { literals: [...literals.values()], constructed };
}

/** The headers of a request that the service reads, in lower case. */
export function headerNames(): string[] {
  const names = new Set<string>();
  visitSource((node) => {
    if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return;
    if (node.expression.name.text !== 'header') return;
    const collect = (inner: Node): void => {
      if (isStringLiteral(inner)) names.add(inner.text.toLowerCase());
      inner.forEachChild(collect);
    };
    for (const argument of node.arguments) collect(argument);
  });
  return [...names].filter((name) => name !== 'content-length');
}

function add(literals: Map<string, SourceExpression>, text: string, file: string): void {
  const end = text.lastIndexOf('/');
  const known = literals.get(text);
  const found = known ?? { pattern: text.slice(1, end), flags: text.slice(end + 1), files: new Set() };
  found.files.add(file);
  literals.set(text, found);
}

function isCalled({ parent }: Node): boolean {
  return parent.kind === SyntaxKind.NewExpression || parent.kind === SyntaxKind.CallExpression;
}
