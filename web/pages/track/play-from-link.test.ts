import { expect, it } from 'vitest';
import type { Track } from '#contract/tracks.ts';
import { findLinkedStart } from './play-from-link.tsx';

const full = { access: 'full', duration: 3600, previewStart: 600 } as Track;
const preview = { ...full, access: 'preview' } as Track;

it.each([
  [754, full, 754],
  [0, full, 0],
  [3600, full, null],
  [86_000, full, null],
  [null, full, null],
  [605, preview, 5],
  [754, preview, null],
  [599, preview, null],
  [620, preview, null],
])('a link to second %j starts within what the user may hear', (second, track, start) => {
  expect(findLinkedStart(second, track)).toBe(start);
});
