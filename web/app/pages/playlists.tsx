import { Link } from 'wouter';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyPage } from './empty-page.tsx';

export function PlaylistsPage() {
  return (
    <EmptyPage
      title="Playlists"
      lead="Your own order of the year."
      empty={{
        glyph: 'waiting',
        title: 'No playlists yet',
        children: 'Playlists you make from mixes are kept here.',
        action: (
          <Link href="/library" className={buttonClass({ variant: 'line' })}>
            Open the library
          </Link>
        ),
      }}
    />
  );
}
