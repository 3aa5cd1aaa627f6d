import { Component, type ErrorInfo, type ReactNode } from 'react';
import { ErrorFallback } from '#web/ui/error-fallback.tsx';
import { noteRenderError } from '../lib/render-errors.ts';

type Props = {
  children: ReactNode;
  /** A new value clears the error: the reader has moved on. */
  resetKey?: string;
  /** Stands in for the failed section; the usual view with its button when absent. */
  fallback?: ReactNode;
  onError?: () => void;
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
    this.props.onError?.();
  }

  #retry = (): void => {
    this.props.onRetry?.();
    this.setState({ error: null });
  };

  override render(): ReactNode {
    const { children, fallback } = this.props;
    if (!this.state.error) return children;
    return fallback === undefined ? <ErrorFallback onRetry={this.#retry} /> : fallback;
  }
}
