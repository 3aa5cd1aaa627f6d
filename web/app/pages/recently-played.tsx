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
        title: 'Your plays are kept',
        children:
          'Every mix you play is remembered. Their list, the latest first, gets its place here.',
        action: (
          <Link href="/" className={buttonClass({ variant: 'line' })}>
            Go to this week
          </Link>
        ),
      }}
    />
  );
}
