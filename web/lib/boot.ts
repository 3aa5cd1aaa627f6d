import type { Boot } from '#contract/boot.ts';

const NOTHING: Boot = {
  siteName: '',
  timeZone: 'UTC',
  authOrigin: '',
  demo: false,
  mixpanel: null,
};

/** The server writes this into the page, so it is known before the first request. */
export const boot: Boot =
  typeof document === 'undefined'
    ? NOTHING
    : JSON.parse(document.getElementById('boot')?.textContent ?? 'null');
