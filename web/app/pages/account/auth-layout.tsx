import type { ReactNode } from 'react';
import { weeksInYear } from '#contract/rules/weeks.ts';
import { useThisWeek } from '#web/lib/use-this-week.ts';
import { growingYear, PosterBars } from '#web/ui/art/poster-bars.tsx';

export function AuthLayout({
  title,
  lead,
  children,
}: {
  title: string;
  lead: ReactNode;
  children: ReactNode;
}) {
  const { year, week } = useThisWeek();
  return (
    <div className="grid md:min-h-[calc(100dvh-var(--header))] lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <div className="flex flex-col gap-6 px-gutter py-8 md:justify-center md:py-12">
        <div className="flex w-full max-w-[420px] flex-col gap-6">
          <header className="flex flex-col gap-3">
            <h1 className="type-title text-[60px] md:text-[80px]">{title}</h1>
            <p className="type-lead">{lead}</p>
          </header>
          {children}
        </div>
      </div>
      <div className="hidden items-end border-l border-line bg-surface pt-16 lg:flex">
        <PosterBars bars={growingYear(week, weeksInYear(year))} />
      </div>
    </div>
  );
}
