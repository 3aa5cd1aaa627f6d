import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { weekOf, weeksInYear, type WeekOfYear } from '#contract/rules/weeks.ts';
import { boot } from '#web/lib/boot.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { Logo } from '#web/ui/art/logo.tsx';
import { growingYear, PosterBars } from '#web/ui/art/poster-bars.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { PlansSection, WallSection, WeekSection } from './landing-sections.tsx';

/** Introduces the product to new visitors, without the shell. */
export function Page() {
  const player = usePlayer();
  // This page has no player controls to pause with.
  useEffect(() => player.pause(), [player]);
  const [now] = useState(() => Date.now());
  const thisWeek = weekOf(now, boot.timeZone);
  return (
    <div className="overflow-x-clip">
      <LandingHeader />
      <main>
        <Hero thisWeek={thisWeek} />
        <WeekSection now={now} thisWeek={thisWeek} />
        <WallSection thisWeek={thisWeek} />
        <PlansSection />
        <section className="mt-16 grid gap-12 border-t border-line px-4 pt-14 pb-10 md:mt-24 md:grid-cols-[minmax(0,1fr)_auto] md:items-end md:px-12 md:pt-[88px] md:pb-16">
          <h2 className="type-poster text-[92px] md:text-[min(13vw,176px)]">See you next week.</h2>
          <LinkButton href="/register" size="lg">
            Register for free
          </LinkButton>
        </section>
      </main>
      <LandingFooter />
    </div>
  );
}

function LandingHeader() {
  return (
    <header className="absolute inset-x-0 top-0 z-5 flex items-center gap-2 py-2 pr-2 pl-4 md:px-12 md:py-3.5">
      <Link href="/" className="mr-auto flex min-h-11 items-center">
        <Logo siteName={boot.siteName} isLarge />
      </Link>
      <LinkButton href="/login" variant="quiet">
        Login
      </LinkButton>
      <LinkButton href="/register">Register</LinkButton>
    </header>
  );
}

function Hero({ thisWeek: { year, week } }: { thisWeek: WeekOfYear }) {
  const bars = growingYear(week, weeksInYear(year)).map((bar) =>
    bar.week === week ? { ...bar, label: <WeekLabel week={week} /> } : bar,
  );
  return (
    <section className="relative flex h-[844px] max-h-svh min-h-[720px] flex-col px-4 pt-[88px] md:h-[900px] md:min-h-[800px] md:px-12 md:pt-[116px]">
      <div className="absolute inset-x-0 bottom-0 h-2/5 md:h-full">
        <PosterBars bars={bars} className="gap-[1.5px] md:gap-[3px]" />
      </div>
      <h1 className="relative -ml-[3px] type-poster text-[44vw] leading-[0.8] [text-box:trim-both_cap_alphabetic] md:-ml-1.5 md:text-[min(21vw,302px)]">
        <span className="block">One mix </span>
        <span className="mt-[0.11em] block">a week.</span>
      </h1>
      <p className="relative mt-6 max-w-[40ch] text-16 leading-[1.45] md:mt-[38px] md:text-18">
        A DJ mix for every week of the year. Each week has its own number and its own colour, from
        summer orange through winter blue and back.
      </p>
      <LinkButton href="/" size="lg" className="relative mt-[18px] self-start md:mt-6">
        Start listening
      </LinkButton>
    </section>
  );
}

function WeekLabel({ week }: { week: number }) {
  return (
    <b className="absolute inset-x-0 top-2.5 hidden text-center type-numeral-small text-[22px] text-on-week not-italic lg:block">
      {week}
    </b>
  );
}

function LandingFooter() {
  const linkClass = 'inline-flex min-h-11 min-w-11 items-center hover:text-text';
  return (
    <footer className="flex flex-wrap items-center gap-x-6 px-4 py-4 pb-[calc(16px+env(safe-area-inset-bottom,0px))] text-13 text-text-3 md:px-12 md:pt-6 md:pb-10">
      <Link href="/" className="flex min-h-11 w-full items-center text-text md:mr-auto md:w-auto">
        <Logo siteName={boot.siteName} />
      </Link>
      <Link href="/" className={linkClass}>
        Home
      </Link>
      <Link href="/login" className={linkClass}>
        Login
      </Link>
      <Link href="/register" className={linkClass}>
        Register
      </Link>
    </footer>
  );
}
