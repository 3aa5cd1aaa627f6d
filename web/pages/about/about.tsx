import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { letterPath } from '#contract/letters.ts';
import type { About } from '#contract/look.ts';
import { LegalText } from '#web/features/legal/legal-text.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { boot } from '#web/lib/store/boot.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { OutsideLink } from '#web/ui/outside-link.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { TextSkeleton } from '#web/ui/skeleton.tsx';
import { fitTitle } from '#web/ui/title-fit.ts';

const aboutQuery = apiQuery('GET /api/about');
const lettersQuery = apiQuery('GET /api/letters', { query: { limit: 3 } });

export const listQueries = () => [aboutQuery, lettersQuery];

/** Who is behind the site, in the operator’s words. */
export const Page = () => (
  <Loaded
    query={useQuery(aboutQuery)}
    pageTitle="About"
    failed="Couldn’t load this page"
    missing={{
      title: 'Page not found',
      text: 'The link may be mistyped, or the page has moved.',
      link: { href: '/', label: 'Go home' },
    }}
    skeleton={
      <div role="status" aria-label="Loading" className="px-gutter pt-9">
        <TextSkeleton />
      </div>
    }
  >
    {(about) => <AboutPage about={about} />}
  </Loaded>
);

const headClass = 'grid gap-x-14 gap-y-8 px-gutter pt-5 @lg/content:pt-9';
const columnsClass = '@2xl/content:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]';

/** Has no colour of its own, except for the picture: only weeks have colours. */
function AboutPage({ about: { sentence, html, links, picture } }: { about: About }) {
  return (
    <article className={`${headClass} ${picture ? columnsClass : ''}`}>
      {picture && (
        <img
          src={picture.path}
          srcSet={`${picture.smallPath} 640w, ${picture.path} ${picture.width}w`}
          sizes="(min-width: 60rem) 36rem, 100vw"
          width={picture.width}
          height={picture.height}
          alt=""
          fetchPriority="high"
          className="max-h-[80vh] w-full max-w-[36rem] rounded-sleeve object-cover"
        />
      )}
      <div className="@container flex min-w-0 flex-col gap-6">
        <header>
          <p className="type-kicker">About</p>
          <h1
            style={fitTitle(boot.siteName)}
            className="mt-2.5 type-display title-fit [--title-max:3.25rem] @lg/content:[--title-max:5.5rem] @double/content:[--title-max:7rem]"
          >
            {boot.siteName}
          </h1>
          {sentence && (
            <p className="mt-3 max-w-[52ch] text-18 leading-normal text-text @lg/content:text-22">
              {sentence}
            </p>
          )}
        </header>
        {html && <LegalText html={html} />}
        {links.length > 0 && (
          <ul aria-label="Links" className="flex flex-wrap gap-x-6 gap-y-1">
            {links.map(({ label, url }) => (
              <li key={url} className="min-w-0">
                <OutsideLink href={url} label={label} />
              </li>
            ))}
          </ul>
        )}
        <NewestLetters />
      </div>
    </article>
  );
}

function NewestLetters() {
  const { data } = useQuery(lettersQuery);
  if (!data || data.items.length === 0) return null;
  return (
    <section aria-labelledby="letters">
      <SectionHead
        id="letters"
        title="Letters"
        end={
          <Link href="/letters" className="inline-flex min-h-11 items-center text-text-2 underline">
            All letters
          </Link>
        }
      />
      <ul className="border-b border-line">
        {data.items.map(({ id, subject, at }) => (
          <li key={id} className="border-t border-line">
            <Link
              href={letterPath(id)}
              className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 py-2 hover:underline"
            >
              <span className="min-w-0 font-semibold break-words">{subject}</span>
              <span className="text-13 text-text-2">{formatDate(at)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
