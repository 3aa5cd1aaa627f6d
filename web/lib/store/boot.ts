import type { Boot } from '#contract/boot.ts';

const EMPTY_BOOT: Boot = {
  siteName: '',
  timeZone: 'UTC',
  authOrigin: '',
  demo: false,
  hasPasskeys: false,
  mixpanel: null,
};

/** The server writes this into the page, so it needs no request. */
export const boot: Boot =
  typeof document === 'undefined'
    ? EMPTY_BOOT
    : JSON.parse(document.getElementById('boot')?.textContent ?? 'null');
