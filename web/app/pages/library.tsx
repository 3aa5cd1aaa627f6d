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
        title: 'The shelves are still empty',
        children:
          'Everything that was published gets its place here by year and week. Until then the newest mixes stand on Home.',
        action: (
          <Link href="/" className={buttonClass({ variant: 'line' })}>
            Go to this week
          </Link>
        ),
      }}
    />
  );
}
