import type { ReactNode } from 'react';
import { GlyphBars, type Glyph } from './art/glyph-bars.tsx';
import { Button, LinkButton } from './button.tsx';
import { PageHead } from './page-head.tsx';

type EmptyStateProps = {
  glyph?: Glyph;
  title: string;
  /** One sentence about what will appear here. */
  text: ReactNode;
  /** Where to go next. */
  link?: { href: string; label: string; variant?: 'line' | 'primary' };
  /** Something to do next, if it isn't a link. */
  action?: ReactNode;
  /** 2 on a page, 3 inside a panel. */
  headingLevel?: 2 | 3;
};

export function EmptyState({
  glyph = 'waiting',
  title,
  text,
  link,
  action,
  headingLevel = 2,
}: EmptyStateProps) {
  const Heading = headingLevel === 2 ? 'h2' : 'h3';
  return (
    <div className="flex flex-col items-start gap-2.5">
      <GlyphBars glyph={glyph} />
      <Heading className="type-section text-28">{title}</Heading>
      <p className="max-w-[38ch] text-text-2">{text}</p>
      {link && (
        <LinkButton href={link.href} variant={link.variant ?? 'line'}>
          {link.label}
        </LinkButton>
      )}
      {action}
    </div>
  );
}

/** The props of an empty state for something that failed to load. */
export const buildLoadError = (
  title: string,
  onRetry: () => void,
  text = 'Your music keeps playing. Check your connection and try again.',
): EmptyStateProps => ({ glyph: 'broken', title, text, action: <RetryButton onRetry={onRetry} /> });

type LoadErrorProps = { title: string; onRetry: () => void; text?: string; className?: string };

/** Replaces the part of a page that failed to load. */
export function LoadError({ title, onRetry, text, className }: LoadErrorProps) {
  return (
    <div role="alert" className={className}>
      <EmptyState {...buildLoadError(title, onRetry, text)} />
    </div>
  );
}

type InlineLoadErrorProps = { text: string; onRetry: () => void; className?: string };

/** Like `LoadError`, in one line for dialogs. */
export function InlineLoadError({ text, onRetry, className = '' }: InlineLoadErrorProps) {
  return (
    <div role="alert" className={`flex flex-wrap items-center gap-3 ${className}`}>
      <p className="text-text-2">{text}</p>
      <RetryButton onRetry={onRetry} />
    </div>
  );
}

function RetryButton({ onRetry }: { onRetry: () => void }) {
  return (
    <Button variant="line" onClick={onRetry}>
      Try again
    </Button>
  );
}

/** A page that has nothing to show: its title and an empty state. */
export function EmptyPage({ pageTitle, ...empty }: EmptyStateProps & { pageTitle: string }) {
  return (
    <>
      <PageHead title={pageTitle} />
      <div className="px-gutter pt-8">
        <EmptyState {...empty} />
      </div>
    </>
  );
}
