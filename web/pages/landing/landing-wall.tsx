import { weeksInYear, type WeekOfYear } from '#contract/rules/weeks.ts';
import { boot } from '#web/lib/store/boot.ts';
import { WeekSleeve } from '#web/ui/art/sleeve.tsx';
import { colours } from './colours.ts';

/** Every sleeve of the year so far, with a dash for the weeks without a mix. */
export function LandingWall({
  thisWeek: { year, week },
  weeks,
}: {
  thisWeek: WeekOfYear;
  weeks: readonly number[];
}) {
  const total = weeksInYear(year);
  return (
    <section className="px-4 pt-16 md:px-12 md:pt-24">
      <div className="mb-6 md:mb-9 lg:flex lg:items-end lg:justify-between lg:gap-10">
        <h2 className="type-poster text-[min(4.5rem,19vw)] md:text-[min(9vw,120px)]">
          The year <br />
          is a colour wheel
        </h2>
        <p className="mt-4 max-w-[38ch] text-16 text-text-2 md:text-18">
          {colours[boot.look.sleeves.hemisphere].year} Find a mix by how that week felt.
        </p>
      </div>
      <div
        role="img"
        aria-label={`Sleeves of ${year}: ${weeks.length} of ${total} weeks so far`}
        className="grid grid-cols-6 gap-[3px] md:grid-cols-13 md:gap-1"
      >
        {Array.from({ length: total }, (_, i) => i + 1).map((each) =>
          weeks.includes(each) ? (
            <WeekSleeve key={each} week={each} />
          ) : (
            <OtherWeek key={each} week={each} isOver={each < week} />
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

/** Without a mix, or still to come. */
function OtherWeek({ week, isOver }: { week: number; isOver: boolean }) {
  if (isOver)
    return (
      <span className="grid aspect-square place-items-center">
        <i className="h-0.5 w-2.5 bar-dash" />
      </span>
    );
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
