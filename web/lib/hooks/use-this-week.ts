import { useState } from 'react';
import { weekOf, type WeekOfYear } from '#contract/rules/weeks.ts';
import { boot } from '../boot.ts';
import { getNow } from '../now.ts';

/** The current week in the site's time zone, when the page was opened. */
export function useThisWeek(): WeekOfYear {
  const [thisWeek] = useState(() => weekOf(getNow(), boot.timeZone));
  return thisWeek;
}
