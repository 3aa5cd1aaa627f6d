import { DEFAULT_SLEEVE_STYLE } from '#contract/art/sleeve-style.ts';
import { findOffers, NO_ENDS, type AllowedFiles } from '#contract/rules/allowed-files.ts';
import type { Boot } from '#contract/boot.ts';
import { createStore } from './store.ts';

const EMPTY_BOOT: Boot = {
  siteName: '',
  timeZone: 'UTC',
  releaseDay: 4,
  dataPrice: null,
  authOrigin: '',
  demo: false,
  look: { sleeves: DEFAULT_SLEEVE_STYLE, headline: '', lead: '', about: null, logo: null },
  hasMoments: false,
  hasClips: false,
  fileEnds: NO_ENDS,
  hasPasskeys: false,
  mixpanel: null,
};

/** The server writes this into the page, so it needs no request. */
export const boot: Boot =
  typeof document === 'undefined'
    ? EMPTY_BOOT
    : JSON.parse(document.getElementById('boot')?.textContent ?? 'null');

/** What members may take with them now. */
export const readOffers = (): AllowedFiles => findOffers(boot.fileEnds, Date.now());

/** How often it has changed: an operator sees a new look without loading the page again. */
export const bootChanges = createStore(0);

export function changeBoot(change: Partial<Boot>): void {
  Object.assign(boot, change);
  bootChanges.set(bootChanges.get() + 1);
}
