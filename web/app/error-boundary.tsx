import { Component, type ErrorInfo, type ReactNode } from 'react';
import { ErrorFallback } from '#web/ui/error-fallback.tsx';
import { noteRenderError } from './health-report.ts';

type Props = {
  children: ReactNode;
  /** A new value clears the error: the reader has moved on. */
  resetKey?: string;
  /** Before the section is tried again. */
  onRetry?: () => void;
};
type State = { error: Error | null; resetKey: string | undefined };

/** A failed section is replaced by a view that can try again; everything around it keeps working. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    noteRenderError(error, info.componentStack ?? '');
  }

  #retry = (): void => {
    this.props.onRetry?.();
    this.setState({ error: null });
  };

  override render(): ReactNode {
    if (!this.state.error) return this.props.children;
    return <ErrorFallback onRetry={this.#retry} />;
  }
}
