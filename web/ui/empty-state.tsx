import type { ReactNode } from 'react';
import { GlyphBars, type Glyph } from './art/glyph-bars.tsx';

type EmptyStateProps = {
  glyph?: Glyph;
  title: string;
  /** One sentence: what will fill this place. */
  children: ReactNode;
  /** One way on. */
  action?: ReactNode;
  /** On a page of its own the title is the second heading; inside a panel it is the third. */
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
