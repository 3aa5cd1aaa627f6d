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
        title: 'Your hearts are kept',
        children:
          'Every mix you mark with a heart is remembered. Their list by week gets its place here.',
        action: (
          <Link href="/" className={buttonClass({ variant: 'line' })}>
            Go to this week
          </Link>
        ),
      }}
    />
  );
}
