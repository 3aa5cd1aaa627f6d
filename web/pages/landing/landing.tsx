import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { weeksInYear, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import { PremiumPrompt } from '#web/shell/premium-prompt.tsx';
import { usePlayerUser } from '#web/shell/use-player-user.ts';
import { LegalLinks } from '#web/shell/legal-links.tsx';
import { useTrackPlayback } from '#web/player/view/use-track-playback.ts';
import { plansQuery } from '#web/features/billing/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { hasFullAccess, useCurrentUser } from '#web/lib/api/current-user.ts';
import { useNextRelease } from '#web/features/tracks/next-release.ts';
import { withNext } from '#web/lib/location/next-path.ts';
import { useNext } from '#web/lib/location/use-next.ts';
import { useThisWeek } from '#web/lib/format/use-this-week.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { Logo } from '#web/ui/art/logo.tsx';
import {
  earlyReleaseQuery,
  facetsQuery,
  peaksQuery,
  trackQuery,
  tracksQuery,
} from '#web/features/tracks/api.ts';
import { growingYear, PosterBars } from '#web/ui/art/poster-bars.tsx';
import { Button, buttonClass, LinkButton } from '#web/ui/button.tsx';
import { Pause, Play } from '#web/ui/icons.ts';
import type { Visit } from '#web/router/route.ts';
import { LandingTrack, LandingWeek, NEWEST_ID } from './landing-track.tsx';
import { LandingPlans, PLANS_ID } from './landing-plans.tsx';
import { LandingWall } from './landing-wall.tsx';
import { LandingWords } from './landing-words.tsx';

const newestQuery = tracksQuery({ limit: 1 });

export function listQueries({ read }: Visit) {
  const [track] = read(newestQuery.queryKey)?.items ?? [];
  return [
    newestQuery,
    earlyReleaseQuery,
    facetsQuery,
    plansQuery,
    ...(track ? [trackQuery(track.id), peaksQuery(track.id)] : []),
  ];
}

/** Introduces the product to new visitors, without the shell: the newest mix plays on the page. */
export function Page() {
  const player = usePlayer();
  const login = useCurrentUser();
  const { user } = login;
  const newest = useQuery(newestQuery);
  const [track] = newest.data?.items ?? [];
  const thisWeek = useThisWeek();
  // Until they are known, and on a site without any, nothing is drawn as if it were there.
  const weeks = useQuery(facetsQuery).data?.weeks ?? [];
  const isEmpty = newest.data?.items.length === 0;
  usePlayerUser(login);
  // This page has no controls for what was playing.
  useEffect(() => player.pause(), [player]);
  useStartPosition(newest.isPending);
  return (
    <div className="overflow-x-clip">
      <LandingHeader user={user} />
      <main>
        <Hero thisWeek={thisWeek} weeks={weeks} track={track} user={user} isEmpty={isEmpty} />
        {track ? (
          <LandingTrack track={track} user={user} />
        ) : (
          <LandingWeek thisWeek={thisWeek} isLoading={newest.isPending} />
        )}
        {!isEmpty && <LandingWall thisWeek={thisWeek} weeks={weeks} />}
        <LandingPlans user={user} />
        <section className="mt-16 grid gap-12 border-t border-line px-4 pt-14 pb-10 md:mt-24 md:grid-cols-[minmax(0,1fr)_auto] md:items-end md:px-12 md:pt-[88px] md:pb-16">
          <h2 className="type-poster text-[min(5.75rem,24vw)] md:text-[min(13vw,176px)]">
            {isEmpty ? 'See you soon.' : 'See you next week.'}
          </h2>
          <ClosingLink user={user} />
        </section>
      </main>
      <LandingFooter user={user} />
      <PremiumPrompt user={user} />
    </div>
  );
}

/** Scrolls to the top or the plans, and to the plans again once the mix above them has loaded. */
function useStartPosition(isLoading: boolean): void {
  useEffect(() => {
    if (window.location.hash) showPlans();
    else window.scrollTo(0, 0);
  }, []);
  useEffect(() => {
    if (!isLoading && document.activeElement?.id === PLANS_ID) showPlans();
  }, [isLoading]);
}

function showPlans(): void {
  if (window.location.hash !== `#${PLANS_ID}`) return;
  const plans = document.getElementById(PLANS_ID);
  plans?.scrollIntoView();
  plans?.focus({ preventScroll: true });
}

function LandingHeader({ user }: { user: User | null }) {
  const next = useNext();
  return (
    <header className="absolute inset-x-0 top-0 z-5 flex items-center gap-2 py-2 pr-2 pl-4 md:px-12 md:py-3.5">
      <Link href="/" className="mr-auto flex min-h-11 items-center">
        <Logo isLarge className="max-[19rem]:[&>span]:sr-only" />
      </Link>
      {user ? (
        <LinkButton href="/">Home</LinkButton>
      ) : (
        <>
          <LinkButton href={withNext('/login', next)} variant="quiet">
            Login
          </LinkButton>
          <LinkButton href={withNext('/register', next)}>Register</LinkButton>
        </>
      )}
    </header>
  );
}

type HeroProps = {
  thisWeek: WeekOfYear;
  /** Those with a mix. */
  weeks: readonly number[];
  track: Track | undefined;
  user: User | null;
  isEmpty: boolean;
};

function Hero({ thisWeek: { year, week }, weeks, track, user, isEmpty }: HeroProps) {
  const next = useNext();
  const bars = growingYear(week, weeksInYear(year)).map((bar) => {
    if (weeks.includes(bar.week))
      return bar.week === week ? { ...bar, label: <WeekLabel week={week} /> } : bar;
    return bar.week < week ? { ...bar, isDash: true } : { ...bar, isOutline: true };
  });
  return (
    <section className="relative flex h-[844px] max-h-svh min-h-[720px] flex-col px-4 pt-[88px] md:h-[900px] md:min-h-[800px] md:px-12 md:pt-[116px]">
      <div className="absolute inset-x-0 bottom-0 h-2/5 md:h-full">
        <PosterBars bars={bars} className="gap-[1.5px] md:gap-[3px]" />
      </div>
      <LandingWords
        headline={boot.look.headline}
        lead={boot.look.lead}
        hemisphere={boot.look.sleeves.hemisphere}
        end={isEmpty ? ' The first mix isn’t out yet.' : ''}
      />
      <p className="relative mt-[18px] flex flex-wrap items-center gap-x-2.5 gap-y-1 md:mt-6">
        {track ? (
          <HearButton track={track} />
        ) : (
          <LinkButton href={user ? '/' : withNext('/register', next)} size="lg">
            {user ? 'Home' : 'Register for free'}
          </LinkButton>
        )}
        <a
          href={`#${PLANS_ID}`}
          className={buttonClass({ variant: 'quiet', size: 'lg', className: 'px-3!' })}
        >
          Plans and prices
        </a>
      </p>
      <NextMix user={user} />
    </section>
  );
}

/** When the next mix comes out, counted down. */
function NextMix({ user }: { user: User | null }) {
  const next = useNextRelease(hasFullAccess(user));
  const nextPath = useNext();
  if (!next) return null;
  return (
    <p className="relative mt-3 flex flex-wrap items-center gap-x-3 text-text-2">
      <span className="tabular">
        <b className="font-semibold text-text">Week {next.weekNumber}.</b>{' '}
        {!next.isOut && next.text}
        <span role="status">{next.isOut && next.text}</span>
      </span>
      {(next.isOut || !user) && (
        <Link
          href={next.isOut ? '/' : withNext('/register', nextPath)}
          className="inline-flex min-h-11 items-center text-text underline underline-offset-4"
        >
          {next.isOut ? 'Show it' : 'Tell me'}
        </Link>
      )}
    </p>
  );
}

/** Plays the mix and shows it. */
function HearButton({ track }: { track: Track }) {
  const { isActive, toggle } = useTrackPlayback(track, () => [track]);
  const Icon = isActive ? Pause : Play;
  const press = () => {
    toggle();
    if (!isActive) document.getElementById(NEWEST_ID)?.scrollIntoView();
  };
  return (
    <Button size="lg" onClick={press} className="[&_svg]:fill-current">
      <Icon strokeWidth={1} />
      {isActive ? 'Pause' : `Hear week ${track.weekNumber}`}
    </Button>
  );
}

function WeekLabel({ week }: { week: number }) {
  return (
    <b className="absolute inset-x-0 top-2.5 hidden text-center type-numeral-small text-22 text-on-week not-italic lg:block">
      {week}
    </b>
  );
}

function ClosingLink({ user }: { user: User | null }) {
  const next = useNext();
  return (
    <LinkButton href={user ? '/' : withNext('/register', next)} size="lg">
      {user ? 'Start listening' : 'Register for free'}
    </LinkButton>
  );
}

function LandingFooter({ user }: { user: User | null }) {
  const next = useNext();
  const links = [
    ['/', 'Home'],
    ['/top-20', 'Top 20'],
    ...(user
      ? [['/subscription', 'Subscription']]
      : [
          [withNext('/login', next), 'Login'],
          [withNext('/register', next), 'Register'],
        ]),
  ] as [href: string, label: string][];
  return (
    <footer className="flex flex-wrap items-center gap-x-6 px-4 py-4 pb-[calc(16px+env(safe-area-inset-bottom,0px))] text-13 text-text-3 md:px-12 md:pt-6 md:pb-10">
      <Link href="/" className="flex min-h-11 w-full items-center text-text md:mr-auto md:w-auto">
        <Logo />
      </Link>
      {links.map(([href, label]) => (
        <Link
          key={label}
          href={href}
          className="inline-flex min-h-11 min-w-11 items-center hover:text-text"
        >
          {label}
        </Link>
      ))}
      <LegalLinks className="w-full md:mt-2 md:justify-end" />
    </footer>
  );
}
