import { dayOf } from '#contract/rules/days.ts';
import { boot } from './boot.ts';

/** When a page was rendered, and which day that was in the site's time zone. */
export type Rendered = { at: number; today: string };

let rendered: Rendered | undefined;

/** While the browser takes over a page, the time is that of its rendering, by the server's clock. */
export function setRendered(when: Rendered | undefined): void {
  rendered = when;
}

/** For what a page shows first: it must be the same on the server and in the browser. */
export const getNow = (): number => rendered?.at ?? Date.now();

/** The calendar day in the site's time zone. */
export const getToday = (): string => rendered?.today ?? dayOf(Date.now(), boot.timeZone);
