import { useQuery } from '@tanstack/react-query';
import { dayOf } from '#contract/rules/days.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import { weekdayOf } from '#contract/rules/report-days.ts';
import { formatWeekDays, weeksInYear, type WeekOfYear } from '#contract/rules/weeks.ts';
import { plansQuery } from '#web/features/billing/api.ts';
import { boot } from '#web/lib/boot.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { samplePeaks, WaveBars } from '#web/ui/art/wave-bars.tsx';
import { LinkButton } from '#web/ui/button.tsx';

const posterClass = 'type-poster text-[72px] md:text-[min(9vw,120px)]';

export function WeekSection({ now, thisWeek }: { now: number; thisWeek: WeekOfYear }) {
  return (
    <section
      data-week={thisWeek.week}
      className="grid gap-5 week-panel px-4 py-8 md:grid-cols-[auto_minmax(0,1fr)] md:items-end md:gap-14 md:px-12 md:py-[72px] xl:grid-cols-[auto_minmax(0,1fr)_440px]"
    >
      <Numeral value={thisWeek.week} size="clamp(300px, 39vw, 560px)" isDecorative />
      <div>
        <p className="font-semibold">This week</p>
        <h2 className="mt-2.5 mb-[18px] type-display text-[52px] md:text-[72px]">
          {formatWeekDays(thisWeek)}
        </h2>
        <p className="max-w-[36ch] text-18 leading-[1.45]">
          Week {thisWeek.week} of {thisWeek.year}. Everything we release this week carries its
          number and its colour.
        </p>
        <LinkButton href="/" size="lg" className="mt-6 mb-8">
          Hear week {thisWeek.week}
        </LinkButton>
        <DayBars today={weekdayOf(dayOf(now, boot.timeZone))} />
      </div>
      <Sleeve week={thisWeek.week} className="w-full max-xl:hidden" />
    </section>
  );
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const DAY_HEIGHTS = [41, 59, 36, 55, 45, 100, 82];

/** Past days are solid, future days outlined. */
function DayBars({ today }: { today: number }) {
  return (
    <div
      role="img"
      aria-label={`Today is ${DAYS[today]}, day ${today + 1} of 7`}
      className="flex h-24 items-end gap-1 text-12 font-semibold"
    >
      {DAYS.map((day, i) => (
        <span
          key={day}
          className={`flex min-w-0 flex-1 items-end justify-center pb-2 ${i <= today ? 'bg-on-week text-week-fill' : 'shadow-[inset_0_0_0_1.5px_var(--on-week)]'}`}
          style={{ height: `${DAY_HEIGHTS[i]}%` }}
        >
          {day}
        </span>
      ))}
    </div>
  );
}

export function WallSection({ thisWeek: { year, week } }: { thisWeek: WeekOfYear }) {
  const total = weeksInYear(year);
  return (
    <section className="px-4 pt-16 md:px-12 md:pt-24">
      <div className="mb-6 md:mb-9 md:flex md:items-end md:justify-between md:gap-10">
        <h2 className={posterClass}>
          The year <br />
          is a colour wheel
        </h2>
        <p className="mt-4 max-w-[38ch] text-16 text-text-2 md:text-18">
          Week 1 starts in summer orange. By July the covers have gone winter blue. Spring is green
          again. Find a mix by how that week felt.
        </p>
      </div>
      <div
        role="img"
        aria-label={`Sleeves of ${year}: ${week} of ${total} weeks so far`}
        className="grid grid-cols-6 gap-[3px] md:grid-cols-13 md:gap-1"
      >
        {Array.from({ length: total }, (_, i) => i + 1).map((each) =>
          each <= week ? <Sleeve key={each} week={each} /> : <FutureWeek key={each} week={each} />,
        )}
        {total === 53 && (
          <p
            aria-hidden
            className="col-span-6 self-center pt-2 type-meta text-balance md:col-span-11 md:pt-0 md:pl-4"
          >
            {year} has a 53rd week, back in week 1’s colour.
          </p>
        )}
      </div>
    </section>
  );
}

function FutureWeek({ week }: { week: number }) {
  return (
    <span
      data-week={week}
      className="grid aspect-square place-items-center rounded-sleeve bar-hollow"
    >
      <span className="type-numeral-small text-22 text-week-rest md:text-[min(2.4vw,34px)]">
        {week}
      </span>
    </span>
  );
}

const peaks = samplePeaks(110);

export function PlansSection() {
  const { data: plans } = useQuery(plansQuery);
  const price = (plan: Plan) => plans && formatMoney(plans[plan].amount, plans.currency);
  const panelClass = 'bg-surface px-4 py-7 md:p-10';
  const titleClass = 'mb-7 type-poster text-[56px] md:text-[min(5vw,72px)]';
  const textClass = 'mt-[22px] max-w-[40ch] text-16 text-text-2 md:text-18';
  return (
    <div data-week={40} className="mt-16 grid gap-0.5 md:mx-12 md:mt-24 md:grid-cols-2">
      <section className={panelClass}>
        <h2 className={titleClass}>Free: the first taste</h2>
        <WaveBars peaks={peaks} played={0.07} isLocked className="h-[120px]" />
        <p className={textClass}>
          A {PREVIEW_TEXT} of every mix, the Top 20, favorites and playlists. No card needed.
        </p>
      </section>
      <section className={panelClass}>
        <h2 className={titleClass}>{price('monthly') ?? 'Premium'}: all of it</h2>
        <WaveBars peaks={peaks} className="h-[120px]" />
        <p className={textClass}>
          Full playback, early access to new releases, MP3 and FLAC downloads.{' '}
          {plans && `${price('monthly')} a month or ${price('annual')} a year.`}
        </p>
      </section>
    </div>
  );
}
