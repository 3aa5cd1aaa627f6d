import type { ReactNode } from 'react';
import { weeksInYear } from '#contract/rules/weeks.ts';
import { useThisWeek } from '#web/lib/format/use-this-week.ts';
import { growingYear, PosterBars } from '#web/ui/art/poster-bars.tsx';
import { fitTitle } from '#web/ui/title-fit.ts';

type AuthLayoutProps = {
  title: string;
  lead: ReactNode;
  /** Beside the form where there is room; otherwise a year of bars. */
  aside?: ReactNode;
  children: ReactNode;
};

export function AuthLayout({ title, lead, aside, children }: AuthLayoutProps) {
  const { year, week } = useThisWeek();
  return (
    <div className="grid md:min-h-[calc(100dvh-var(--header))] @3xl/content:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <div className="flex flex-col gap-6 px-gutter py-8 md:justify-center md:py-12">
        <div className="flex w-full max-w-[420px] flex-col gap-6">
          <header className="flex flex-col gap-3">
            <h1
              style={fitTitle(title)}
              className="type-title title-fit [--title-max:3.75rem] [--title-room:min(420px,100cqi-2*var(--gutter))] @lg/content:[--title-max:5rem]"
            >
              {title}
            </h1>
            <p className="type-lead">{lead}</p>
          </header>
          {children}
        </div>
      </div>
      {aside ? (
        <div className="hidden border-l border-line @3xl/content:grid">{aside}</div>
      ) : (
        <div className="hidden items-end border-l border-line bg-surface pt-16 @3xl/content:flex">
          <PosterBars bars={growingYear(week, weeksInYear(year))} />
        </div>
      )}
    </div>
  );
}
