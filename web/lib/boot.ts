import type { Boot } from '#contract/boot.ts';

/** The server writes this into the page, so it is known before the first request. */
export const boot: Boot = JSON.parse(document.getElementById('boot')?.textContent ?? 'null');
