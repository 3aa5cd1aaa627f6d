import { Link } from 'wouter';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyPage } from './empty-page.tsx';

export function RecentlyPlayedPage() {
  return (
    <EmptyPage
      title="Recently Played"
      lead="What you heard last, and where you stopped."
      empty={{
        glyph: 'waiting',
        title: 'Nothing played yet',
        children: 'Every mix you play appears here, the latest first.',
        action: (
          <Link href="/" className={buttonClass({ variant: 'line' })}>
            Go to this week
          </Link>
        ),
      }}
    />
  );
}
