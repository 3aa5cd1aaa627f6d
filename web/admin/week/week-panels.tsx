import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { CHECK_NAMES } from '#contract/admin/check-names.ts';
import type { Outcome, Week } from '#contract/admin/week.ts';
import { describeDeparture } from '#contract/rules/departures.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { reportQuery, useLiveFigures } from '#web/admin/figures/api.ts';
import {
  formatCount,
  formatNumber,
  formatPercent,
  formatWeekdayName,
} from '#web/lib/format/format.ts';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { CircleCheck, TriangleAlert } from '#web/ui/icons.ts';

const linkClass = 'text-text underline underline-offset-4';

function Panel({ id, title, children }: { id: string; title: ReactNode; children: ReactNode }) {
  return (
    <section
      aria-labelledby={id}
      className="flex min-w-0 flex-col gap-3 bg-surface p-4 @3xl/content:p-[22px]"
    >
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

const needClass = 'flex min-h-11 min-w-0 items-start gap-2 py-2.5 font-medium';

/** A mail server’s own words can be long, and without a space. */
const NeedText = ({ children }: { children: ReactNode }) => (
  <>
    <TriangleAlert className="mt-px size-5 shrink-0 text-warning" />
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </>
);

/** Problems an administrator has to fix, and what nobody has looked at. All is clear only without both. */
export function AttentionPanel({ attention, checks }: Pick<Week, 'attention' | 'checks'>) {
  const unknown = checks.filter(({ trouble }) => trouble !== null);
  return (
    <Panel id="attention" title="Needs a hand">
      {attention.length + unknown.length === 0 ? (
        <p className="flex items-center gap-2 text-text-2">
          <CircleCheck className="size-5 shrink-0 text-success" />
          All clear.
        </p>
      ) : (
        <ul className="-my-1 flex flex-col">
          {attention.map(({ kind, text, href }) => (
            <li key={kind}>
              {href === null ? (
                <p className={needClass}>
                  <NeedText>{text}</NeedText>
                </p>
              ) : (
                <Link href={href} className={`${needClass} hover:underline`}>
                  <NeedText>{text}</NeedText>
                </Link>
              )}
            </li>
          ))}
          {unknown.map(({ kind, trouble }) => (
            <li key={kind} className={needClass}>
              <NeedText>
                {CHECK_NAMES[kind]}: <span className="text-text-2">{trouble}</span>
              </NeedText>
            </li>
          ))}
        </ul>
      )}
      <CheckList checks={checks} />
    </Panel>
  );
}

/** What the site looks at by itself, and when it last did. */
const CheckList = ({ checks }: Pick<Week, 'checks'>) => (
  <details className="text-13 text-text-2">
    <summary className="flex min-h-11 w-fit cursor-pointer items-center underline-offset-4 hover:underline">
      What is looked at
    </summary>
    <ul className="flex flex-col gap-1 pb-1">
      {checks.map(({ kind, lookedAt, trouble }) => (
        <li key={kind} className="flex items-baseline justify-between gap-4">
          {CHECK_NAMES[kind]}
          <span className={trouble === null ? 'text-text-3' : 'text-warning'}>
            {lookedAt === null ? 'Not yet' : <TimeAgo at={lookedAt} />}
          </span>
        </li>
      ))}
    </ul>
  </details>
);

const percentOf = (share: number): string => formatPercent(share);

/** How a release went: whether people hear all of it, and where they stop. */
export function OutcomePanel({ outcome }: { outcome: Outcome }) {
  const { id, title, weekNumber, plays, started, finished, drop } = outcome;
  const report = `/admin/reports?${new URLSearchParams({ report: 'completion', track: id })}`;
  return (
    <Panel id="outcome" title={`How week ${weekNumber} went`}>
      <p className="text-text-2">
        {title}: <b className="font-semibold text-text">{formatCount(plays, 'play')}</b>.{' '}
        {finished === null
          ? 'No subscriber has started it yet.'
          : `${percentOf(finished)} of ${formatCount(started, 'subscriber')} heard the end.`}
      </p>
      {drop && (
        <p className="text-text-2">
          Most who leave stop at{' '}
          <b className="font-semibold text-text">
            {formatDuration(drop.at)}
            {drop.chapter !== null && `, ${drop.chapter}`}
          </b>{' '}
          ({percentOf(drop.share)} of them all).
        </p>
      )}
      {started > 0 && (
        <p>
          <Link href={report} className={`inline-flex min-h-11 items-center ${linkClass}`}>
            See where they stop
          </Link>
        </p>
      )}
    </Panel>
  );
}

const describeSince = ({ release, since }: Week['people']): string =>
  release ? `Since ${formatWeekdayName(since)}’s release` : 'In the last seven days';

/** `Nightshift, week 47 (11)` */
const describeShares = (shares: readonly { name: string; count: number }[]): string =>
  shares.map(({ name, count }) => `${name} (${formatNumber(count)})`).join(', ');

/** Who joined after which preview, and who left and why, since the last release. */
export function PeoplePanel({ week }: { week: Pick<Week, 'people' | 'today' | 'playsToday'> }) {
  const { people, today, playsToday } = week;
  const { joined, joinedFrom, left, reasons, since } = people;
  const list = (report: string, figure: string) =>
    `/admin/reports/list?${new URLSearchParams({ report, figure, from: since, to: today })}`;
  return (
    <Panel id="people" title={describeSince(people)}>
      <p className="type-figure text-40 leading-none">
        <Link
          href={list('subscribers', 'new')}
          className="hover:underline"
          aria-label={`${joined} joined`}
        >
          +{formatNumber(joined)}
        </Link>
        <span className="text-text-3"> / </span>
        <Link
          href={list('leaving', 'left')}
          className="hover:underline"
          aria-label={`${left} left`}
        >
          −{formatNumber(left)}
        </Link>
      </p>
      {joinedFrom.length > 0 && (
        <p className="text-text-2">
          Joined after a preview of{' '}
          {describeShares(
            joinedFrom.map(({ title, weekNumber, count }) => ({
              name: `${title}, week ${weekNumber}`,
              count,
            })),
          )}
          .
        </p>
      )}
      {reasons.length > 0 && (
        <p className="text-text-2">
          Left:{' '}
          {describeShares(
            reasons.map((each) => ({ name: describeDeparture(each), count: each.count })),
          )}
          .
        </p>
      )}
      <LiveLine playsToday={playsToday} today={today} />
    </Panel>
  );
}

function LiveLine({ playsToday, today }: Pick<Week, 'playsToday' | 'today'>) {
  useLiveFigures();
  const live = useQuery(reportQuery('live', {})).data?.figures.find(
    ({ key }) => key === 'listeners',
  );
  const plays = new URLSearchParams({ report: 'plays', from: today, to: today });
  return (
    <p className="text-text-2">
      <Link href={`/admin/reports?${plays}`} className="hover:underline">
        {formatCount(playsToday, 'play')} today
      </Link>
      {live && (
        <>
          {', '}
          <Link href="/admin/reports?report=live" className="hover:underline">
            {formatNumber(live.value ?? 0)} listening now
          </Link>
        </>
      )}
      .
    </p>
  );
}
