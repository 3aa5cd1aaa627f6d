import { Button } from './button.tsx';
import { GlyphBars } from './art/glyph-bars.tsx';

/** Takes the place of a section that failed to render. */
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
