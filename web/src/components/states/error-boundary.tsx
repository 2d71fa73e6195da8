import { Component, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { isReached } from '../../api/client.ts';
import { movementStream } from '../../live/use-live.ts';
import { LateCodeError, reloadFailedCode } from '../../loading/late-code.ts';
import { ErrorState } from './error-state.tsx';

interface Props {
  readonly children: ReactNode;
  /** A new value draws the children again, such as the path after a click on a link. */
  readonly resetKey: string;
}

/** Shows an error of its content in its place; the rest of the page keeps working. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };
  #unsubscribe: (() => void) | undefined;

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidMount() {
    this.#unsubscribe = movementStream.subscribeStatus(() => {
      const { error } = this.state;
      const isOfConnection =
        error instanceof LateCodeError || (error instanceof ApiError && error.isTemporary);
      if (isOfConnection && movementStream.status.state === 'live') void this.#retry();
    });
  }

  override componentWillUnmount() {
    this.#unsubscribe?.();
  }

  override componentDidUpdate(before: Props) {
    if (before.resetKey !== this.props.resetKey && this.state.error !== undefined) void this.#retry();
  }

  async #retry(): Promise<boolean> {
    const isLoaded = await reloadFailedCode();
    this.setState({ error: undefined });
    return isLoaded;
  }

  async #retryByHand() {
    // The files of an earlier build are gone, and some browsers keep a failure until the document is loaded again.
    if (!(await this.#retry()) && (await isReached())) location.reload();
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <ErrorState error={error} onRetry={() => void this.#retryByHand()} />;
  }
}
