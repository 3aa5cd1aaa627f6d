import { useMemo } from 'react';
import { weekOfDay, type WeekOfYear } from '#contract/rules/weeks.ts';
import { useOpenedOn } from './now.ts';

/** The current week in the site's time zone, when the page was opened. */
export function useThisWeek(): WeekOfYear {
  const openedOn = useOpenedOn();
  return useMemo(() => weekOfDay(openedOn), [openedOn]);
}
