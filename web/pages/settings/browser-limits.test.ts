import { expect, it } from 'vitest';
import { listLimits } from './browser-limits.tsx';

const all = { remotePlayback: true, airPlay: true, viewTransitions: true };

it('says nothing about a browser that can do everything', () => {
  expect(listLimits(all)).toEqual([]);
});

it.each([{ remotePlayback: true }, { airPlay: true }])('knows two ways to cast: %o', (way) => {
  expect(listLimits({ ...all, remotePlayback: false, airPlay: false, ...way })).toEqual([]);
});

it('says what the player and the pages do without', () => {
  expect(listLimits({ remotePlayback: false, airPlay: false, viewTransitions: false })).toEqual([
    'It can’t play on a speaker or TV. Chrome, Edge and Safari can.',
    'Pages change at once, without a transition.',
  ]);
});
