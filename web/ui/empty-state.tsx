import type { ReactNode } from 'react';
import { GlyphBars, type Glyph } from './art/glyph-bars.tsx';
import { LinkButton } from './button.tsx';
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
