import { Link } from 'wouter';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyPage } from './empty-page.tsx';

export function TrackPage() {
  return (
    <EmptyPage
      title="Track"
      empty={{
        glyph: 'nothing',
        title: 'This mix does not exist',
        children: 'The link may be old, or the mix was taken down.',
        action: (
          <Link href="/library" className={buttonClass({ variant: 'line' })}>
            Open the library
          </Link>
        ),
      }}
    />
  );
}
