import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { letterPath, LETTER_FEED_PATH } from '#contract/letters.ts';
import { pagedQuery } from '#web/lib/api/api-query.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { withNext } from '#web/lib/location/next-path.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';

const lettersQuery = pagedQuery('GET /api/letters', { query: {} });

export const listQueries = () => [lettersQuery];

/** The letters that this reader may read here, newest first. */
export function Page() {
  const { user } = useCurrentUser();
  return (
    <>
      <PageHead title="Letters" />
      <div className="flex max-w-[68ch] flex-col gap-6 px-gutter pt-8">
        <PagedList
          label="Letters"
          query={useInfiniteQuery(lettersQuery)}
          failed="Couldn’t load the letters."
          empty={
            <EmptyState
              glyph="nothing"
              title="No letters yet"
              text={user ? 'They appear here once one is out.' : 'Some may be for members only.'}
              {...(!user && { link: { href: withNext('/login', '/letters'), label: 'Log in' } })}
            />
          }
          renderItem={({ id, subject, at }) => (
            <li key={id} className="border-t border-line first:border-0">
              <Link
                href={letterPath(id)}
                className="flex min-h-16 flex-col justify-center px-4 py-2.5 transition-colors hover:bg-raised"
              >
                <span className="font-semibold break-words">{subject}</span>
                <span className="text-13 text-text-2">{formatDate(at)}</span>
              </Link>
            </li>
          )}
        />
        <p className="text-13 text-text-3">
          {user && (
            <>
              To get them by e-mail, turn on “Product news” in your{' '}
              <Link href="/settings" className="underline underline-offset-4">
                settings
              </Link>
              .{' '}
            </>
          )}
          Letters for everyone are also in a{' '}
          <a href={LETTER_FEED_PATH} className="underline underline-offset-4">
            feed
          </a>{' '}
          for feed readers.
        </p>
      </div>
    </>
  );
}
