import { weeksInYear, type WeekOfYear } from '#contract/rules/weeks.ts';
import { WeekSleeve } from '#web/ui/art/sleeve.tsx';

/** Every sleeve of the year so far. */
export function LandingWall({ thisWeek: { year, week } }: { thisWeek: WeekOfYear }) {
  const total = weeksInYear(year);
  return (
    <section className="px-4 pt-16 md:px-12 md:pt-24">
      <div className="mb-6 md:mb-9 lg:flex lg:items-end lg:justify-between lg:gap-10">
        <h2 className="type-poster text-[min(4.5rem,19vw)] md:text-[min(9vw,120px)]">
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
          each <= week ? (
            <WeekSleeve key={each} week={each} />
          ) : (
            <FutureWeek key={each} week={each} />
          ),
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
