import { Component, type ErrorInfo, type ReactNode } from 'react';
import { reportRenderError } from '#web/lib/analytics/render-errors.ts';
import { GlyphBars } from './art/glyph-bars.tsx';
import { Button } from './button.tsx';

type Props = {
  children: ReactNode;
  /** A new value clears the error, on another page for example. */
  resetKey?: string;
  /** Replaces the failed section; by default an error message with a retry button. */
  fallback?: ReactNode;
  onError?: () => void;
  /** Called before the section renders again. */
  onRetry?: () => void;
};
type State = { error: Error | null; resetKey: string | undefined };

/** Replaces a section that failed to render; everything around it keeps working. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    reportRenderError(error, info.componentStack ?? '');
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

export function ErrorFallback({ onRetry }: { onRetry: () => void }) {
  return (
    <section role="alert" className="flex flex-col items-start gap-2.5 px-gutter py-8">
      <GlyphBars glyph="broken" />
      <h2 className="type-section text-28">Something went wrong</h2>
      <p className="max-w-[52ch] text-text-2">
        We&apos;re sorry, but there was an error in this component. Try refreshing the page or
        clicking the button below.
      </p>
      <Button onClick={onRetry}>Try Again</Button>
    </section>
  );
}
