import { Link } from 'wouter';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyPage } from './empty-page.tsx';

export function FavoritesPage() {
  return (
    <EmptyPage
      title="Favorites"
      lead="The mixes you marked with a heart."
      empty={{
        glyph: 'waiting',
        title: 'No favorites yet',
        children: 'Tap the heart on any mix and it lands here, sorted by week.',
        action: (
          <Link href="/" className={buttonClass({ variant: 'line' })}>
            Go to this week
          </Link>
        ),
      }}
    />
  );
}
