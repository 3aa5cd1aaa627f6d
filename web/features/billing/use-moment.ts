import { useState } from 'react';
import { boot } from '#web/lib/boot.ts';
import type { Moment } from './words.ts';

/** As of when this part of the page appeared. */
export function useMoment(): Moment {
  const [now] = useState(() => Date.now());
  return { now, timeZone: boot.timeZone };
}
