import { useState } from 'react';
import { weekOfDay, type WeekOfYear } from '#contract/rules/weeks.ts';
import { getToday } from '../now.ts';

/** The current week in the site's time zone, when the page was opened. */
export function useThisWeek(): WeekOfYear {
  const [thisWeek] = useState(() => weekOfDay(getToday()));
  return thisWeek;
}
