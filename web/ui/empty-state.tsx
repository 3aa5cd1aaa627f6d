import type { ReactNode } from 'react';
import { GlyphBars, type Glyph } from './art/glyph-bars.tsx';
import { Button } from './button.tsx';
import { PageHead } from './page-head.tsx';

type EmptyStateProps = {
  glyph?: Glyph;
  title: string;
  /** One sentence about what will appear here. */
  children: ReactNode;
  /** One thing to do next. */
  action?: ReactNode;
  /** 2 on a page, 3 inside a panel. */
  headingLevel?: 2 | 3;
};

export function EmptyState({
  glyph = 'waiting',
  title,
  children,
  action,
  headingLevel = 2,
}: EmptyStateProps) {
  const Heading = headingLevel === 2 ? 'h2' : 'h3';
  return (
    <div className="flex flex-col items-start gap-2.5">
      <GlyphBars glyph={glyph} />
      <Heading className="type-section text-28">{title}</Heading>
      <p className="max-w-[38ch] text-text-2">{children}</p>
      {action}
    </div>
  );
}

/** The props of an empty state for something that failed to load. */
export const buildLoadError = (
  title: string,
  onRetry: () => void,
  text = 'Your music keeps playing. Check your connection and try again.',
): EmptyStateProps => ({
  glyph: 'broken',
  title,
  children: text,
  action: (
    <Button variant="line" onClick={onRetry}>
      Try again
    </Button>
  ),
});

type EmptyPageProps = {
  title: string;
  lead?: ReactNode;
  end?: ReactNode;
  empty: EmptyStateProps;
};

/** A page that has nothing to show: its title and an empty state. */
export function EmptyPage({ title, lead, end, empty }: EmptyPageProps) {
  return (
    <>
      <PageHead title={title} lead={lead} end={end} />
      <div className="px-gutter pt-8">
        <EmptyState {...empty} />
      </div>
    </>
  );
}
