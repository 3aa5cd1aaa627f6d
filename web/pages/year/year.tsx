import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import { parseYear, type YearFact } from '#contract/rules/year.ts';
import type { YearShare, YearView } from '#contract/years.ts';
import { yearQuery } from '#web/features/years/api.ts';
import { describeFacts } from '#web/features/sharing/year-picture.tsx';
import { useThisWeek } from '#web/lib/format/use-this-week.ts';
import { PageSkeleton } from '#web/router/page-skeleton.tsx';
import type { Visit } from '#web/router/route.ts';
import { usePageTitle } from '#web/router/use-page-title.ts';
import { YearBars } from '#web/ui/art/year-bars.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { EmptyPage } from '#web/ui/empty-state.tsx';
import { ArrowDownToLine } from '#web/ui/icons.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { YearDialog } from './year-dialog.tsx';
import { YearWall } from './year-wall.tsx';

export const listQueries = ({ params }: Visit) => {
  const year = parseYear(params.year ?? '');
  return year === null ? [] : [yearQuery(year)];
};

export function Page() {
  const { year: name = '' } = useParams();
  const year = parseYear(name);
  const missing = useMissing();
  return year === null ? <EmptyPage pageTitle="Year" {...missing} /> : <Year year={year} />;
}

/** Leads to the year that there is now. */
function useMissing() {
  const { year } = useThisWeek();
  const { year: name } = useParams();
  const isNow = name === String(year);
  return {
    glyph: 'nothing',
    title: 'No mixes in this year',
    text: 'Years begin with the first mix and end with this one.',
    link: isNow
      ? { href: '/library', label: 'Open the library' }
      : { href: `/year/${year}`, label: `Go to ${year}` },
  } as const;
}

function Year({ year }: { year: number }) {
  const query = useQuery(yearQuery(year));
  usePageTitle(query.data && query.data.title);
  return (
    <Loaded
      query={query}
      pageTitle="Year"
      failed="Couldn’t load this year"
      missing={useMissing()}
      skeleton={<PageSkeleton kind="rows" />}
    >
      {(view) => <LoadedYear view={view} />}
    </Loaded>
  );
}

function LoadedYear({ view }: { view: YearView & { share: YearShare } }) {
  const { year, title, bars, facts } = view;
  const [isOpen, setOpen] = useState(false);
  const label = describeFacts(view);
  return (
    <>
      <PageHead
        title={String(year)}
        lead={`${title}. Sleeves are weeks heard; numbers are weeks still waiting.`}
        end={
          <Button onClick={() => setOpen(true)}>
            <ArrowDownToLine />
            Save or share
          </Button>
        }
      />
      <div className="flex flex-col gap-7 px-gutter pt-7">
        <YearWall {...view} />
        <YearBars year={year} bars={bars} frame={{ role: 'img', 'aria-label': label }} />
        <dl className="grid grid-cols-2 gap-x-6 gap-y-7 @3xl/content:grid-cols-4">
          {facts.map((fact) => (
            <Fact key={fact.text} fact={fact} />
          ))}
        </dl>
        <OtherYears {...view} />
      </div>
      <YearDialog view={view} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}

function Fact({ fact: { value, text, week } }: { fact: YearFact }) {
  return (
    <div className="flex flex-col-reverse justify-end gap-1.5" data-week={week}>
      <dt className="text-text-2">{text}</dt>
      <dd
        className={`type-display text-40 ${week === undefined ? '' : 'text-week light:text-text'}`}
      >
        {value}
      </dd>
    </div>
  );
}

function OtherYears({ year, years }: YearView) {
  const others = years.filter((each) => each !== year);
  if (others.length === 0) return null;
  return (
    <nav aria-label="Other years" className="flex flex-wrap gap-2">
      {others.map((each) => (
        <LinkButton key={each} href={`/year/${each}`} variant="line">
          {each}
        </LinkButton>
      ))}
    </nav>
  );
}
