import { Component, type ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';

interface Props {
  readonly children: ReactNode;
  /** Another value tries again, such as the path after a click on a link. */
  readonly resetKey: string;
}

/** Shows an error of its content in its place; the rest of the page keeps working. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(before: Props) {
    if (before.resetKey !== this.props.resetKey && this.state.error !== undefined)
      this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <ErrorState error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
