import { useState } from 'react';
import { weekOf, type WeekOfYear } from '#contract/rules/weeks.ts';
import { boot } from './boot.ts';

/** The week it is where the site is at home, as of when the page was opened. */
export function useThisWeek(): WeekOfYear {
  const [thisWeek] = useState(() => weekOf(Date.now(), boot.timeZone));
  return thisWeek;
}
