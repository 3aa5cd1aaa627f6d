import { useQuery } from '@tanstack/react-query';
import { Redirect, useParams } from 'wouter';
import { letterPath, type Letter } from '#contract/letters.ts';
import { LegalText } from '#web/features/legal/legal-text.tsx';
import { TrackRows } from '#web/features/tracks/track-rows.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { withNext } from '#web/lib/location/next-path.ts';
import { usePageTitle } from '#web/router/use-page-title.ts';
import type { Visit } from '#web/router/route.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { TextSkeleton } from '#web/ui/skeleton.tsx';
import { fitTitle } from '#web/ui/title-fit.ts';

const letterQuery = (id: string) => apiQuery('GET /api/letters/:id', { params: { id } });

export const listQueries = ({ params: { id = '' } }: Visit) => [letterQuery(id)];

/** A letter as its own page. One for members leads visitors to the login. */
export function Page() {
  const { id = '' } = useParams();
  const query = useQuery(letterQuery(id));
  usePageTitle(query.data?.subject);
  if (query.data === null) return <Redirect to={withNext('/login', letterPath(id))} replace />;
  return (
    <Loaded
      query={query}
      pageTitle="Letter"
      failed="Couldn’t load this letter"
      missing={{
        title: 'Letter not found',
        text: 'It may only have gone out by e-mail, or the link is mistyped.',
        link: { href: '/letters', label: 'All letters' },
      }}
      skeleton={
        <div role="status" aria-label="Loading" className="px-gutter pt-9">
          <TextSkeleton />
        </div>
      }
    >
      {(letter) => <LetterPage letter={letter} />}
    </Loaded>
  );
}

/** Has no colour of its own, except for the picture and the mix: only weeks have colours. */
function LetterPage({ letter: { subject, at, html, picture, track } }: { letter: Letter }) {
  return (
    <article className="flex flex-col gap-7 px-gutter pt-5 @lg/content:pt-9">
      <header className="@container max-w-[62rem]">
        <p className="type-kicker">{formatDate(at)}</p>
        <h1
          style={fitTitle(subject)}
          className="mt-2.5 type-display break-words title-fit [--title-max:3.25rem] @lg/content:[--title-max:4.5rem]"
        >
          {subject}
        </h1>
      </header>
      {picture && (
        <img
          src={picture.path}
          srcSet={`${picture.smallPath} 640w, ${picture.path} ${picture.width}w`}
          sizes="(min-width: 45rem) 40rem, 100vw"
          width={picture.width}
          height={picture.height}
          alt={picture.text}
          className="w-full max-w-[40rem] rounded-sleeve"
        />
      )}
      <LegalText html={html} />
      {track && (
        <section aria-label="Mix" className="max-w-[40rem]">
          <TrackRows label="Mix" source={subject} tracks={[track]} columns="none" />
        </section>
      )}
      <LinkButton href="/letters" variant="line" className="self-start">
        All letters
      </LinkButton>
    </article>
  );
}
