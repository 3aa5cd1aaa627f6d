import { Link } from 'wouter';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyPage } from '../empty-page.tsx';

export function NotFoundPage() {
  return (
    <EmptyPage
      title="Page not found"
      empty={{
        glyph: 'nothing',
        title: 'Nothing plays here',
        children: 'The address has a typo, or the page has moved.',
        action: (
          <Link href="/" className={buttonClass()}>
            Go home
          </Link>
        ),
      }}
    />
  );
}
