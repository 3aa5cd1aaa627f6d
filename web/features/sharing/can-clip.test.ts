import { afterEach, expect, it } from 'vitest';
import { HOUR } from '#contract/rules/time.ts';
import { changeBoot } from '#web/lib/store/boot.ts';
import { isClippable, isPublic } from './can-clip.ts';

afterEach(() => changeBoot({ hasClips: false }));

const out = { isSubscriberOnly: false, publishedAt: Date.now() - HOUR };
const member = { isAdmin: false, isHelper: false };
const helper = { isAdmin: false, isHelper: true };

it('offers clips where the server makes them', () => {
  const early = { ...out, unreleased: 'scheduled' as const, publishedAt: Date.now() + HOUR };
  const reserved = { ...out, isSubscriberOnly: true };
  const list = () =>
    [out, early, reserved].map((track) => [member, helper].map((user) => isClippable(track, user)));
  expect(list()).toEqual([
    [false, false],
    [false, false],
    [false, false],
  ]);
  changeBoot({ hasClips: true });
  expect(list()).toEqual([
    [true, true],
    [false, false],
    [false, true],
  ]);
  expect([out, early, reserved].map(isPublic)).toEqual([true, false, false]);
});
