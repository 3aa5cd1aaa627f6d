import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#contract/rules/time.ts';
import { compareClocks } from './device-clock.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const compare = (offset: number) => compareClocks(NOW + offset, NOW).map(({ text }) => text);

it.each([0, SECOND, -10 * MINUTE, 10 * MINUTE])('%i ms apart is nobody’s trouble', (offset) => {
  expect(compare(offset)).toEqual([]);
});

it.each([
  [11 * MINUTE, '11 minutes ahead of'],
  [-3 * HOUR, '3 hours behind'],
  [-40 * DAY, '40 days behind'],
])('%i ms apart is named', (offset, words) => {
  expect(compare(offset)).toEqual([
    expect.stringMatching(
      `^This device’s clock is ${words} the server’s\\. If the server’s is wrong`,
    ),
  ]);
});
