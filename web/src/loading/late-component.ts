import { type ComponentType, createElement, type FunctionComponent, use } from 'react';
import type { LateCode } from './late-code.ts';

/** A component that suspends until its code is loaded. */
export function lateComponent<Props extends object>(
  code: LateCode<{ readonly default: ComponentType<Props> }>,
): FunctionComponent<Props> {
  return (props) => createElement(use(code.read()).default, props);
}
