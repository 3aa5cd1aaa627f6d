import { useRef, useState, useSyncExternalStore } from 'react';
import { dayOf } from '#contract/rules/days.ts';
import { boot } from '#web/lib/store/boot.ts';

/** When a page was rendered, which day that was in the site's time zone, and when that day ends. */
export type Rendered = { at: number; today: string; dayEndsAt: number };

let rendered: Rendered | undefined;
let isHydrating = false;

/** During hydration, the time is when the page was rendered, by the server's clock. */
export function startHydration(when: Rendered | undefined): void {
  rendered = when;
  isHydrating = when !== undefined;
}

/** The app has started. Parts of the page that aren't hydrated yet still need the time. */
export function endHydration(): void {
  isHydrating = false;
}

/** The calendar day in the site's time zone. */
export const getToday = (): string => (isHydrating && rendered ? rendered.today : readToday());

/** By this clock. As long as it is the day of the page, this needs no date format. */
function readToday(): string {
  const now = Date.now();
  if (rendered && now >= rendered.at && now < rendered.dayEndsAt) return rendered.today;
  return dayOf(now, boot.timeZone);
}

const neverChanges = () => () => {};

/**
 * Whether the server has rendered this part of the page: only then React asks for the second value.
 * It stays the same afterwards, because another one would render the whole page again at once.
 */
export function useIsRendered(): boolean {
  const isRendered = useRef(false);
  return useSyncExternalStore(
    neverChanges,
    () => isRendered.current,
    () => (isRendered.current = true),
  );
}

/** When this part of the page appeared: the same on the server and in the browser. */
export function useOpenedAt(): number {
  const isRendered = useIsRendered();
  const [openedAt] = useState(() => (isRendered && rendered?.at) || Date.now());
  return openedAt;
}

/** The calendar day of that, in the site's time zone. */
export function useOpenedOn(): string {
  const isRendered = useIsRendered();
  const [openedOn] = useState(() => (isRendered && rendered?.today) || readToday());
  return openedOn;
}
