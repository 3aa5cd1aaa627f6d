import { dayOf } from '#contract/rules/days.ts';
import { boot } from '#web/lib/store/boot.ts';

/** `2026-11`, in the site’s time zone. */
export const monthOf = (now: number, timeZone = boot.timeZone): string =>
  dayOf(now, timeZone).slice(0, 7);
