import { Link } from 'wouter';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyPage } from './empty-page.tsx';

export function LibraryPage() {
  return (
    <EmptyPage
      title="Library"
      lead="Everything that was published, by year and week."
      end={
        <Link href="/playlists" className={buttonClass({ variant: 'line' })}>
          Playlists
        </Link>
      }
      empty={{
        title: 'No mixes published yet',
        children: 'The first mix stands here from the minute it is published.',
        action: (
          <Link href="/" className={buttonClass({ variant: 'line' })}>
            Go to this week
          </Link>
        ),
      }}
    />
  );
}
