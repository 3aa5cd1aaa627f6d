import { expect, it } from 'vitest';
import { followUser } from './use-player-user.ts';

function watchPlayer() {
  const calls: string[] = [];
  const follow = followUser({
    close: () => void calls.push('close'),
    forgetVisit: () => void calls.push('forget'),
    setSubscriber: (isSubscriber) => void calls.push(isSubscriber ? 'full' : 'preview'),
  });
  return { calls, follow };
}

const unknown = { userId: null, isSubscriber: false, isUnknown: true };
const visitor = { ...unknown, isUnknown: false };
const thandi = { userId: 'u1', isSubscriber: true, isUnknown: false };

it('the player is told the user’s access whenever it changes, and that there is none after logging out', () => {
  const { calls, follow } = watchPlayer();
  for (const access of [visitor, thandi, { ...thandi, isSubscriber: false }, thandi])
    follow(access);
  expect(calls).toEqual(['preview', 'full', 'preview', 'full']);
  follow(visitor);
  expect(calls.slice(4)).toEqual(['close', 'forget', 'preview']);
});

it('another user gets neither the player nor the queue of the one before', () => {
  const { calls, follow } = watchPlayer();
  follow(thandi);
  follow({ ...thandi, userId: 'u2' });
  expect(calls).toEqual(['full', 'close', 'forget', 'full']);
});

it('a user who is not known yet is not treated as a visitor', () => {
  const { calls, follow } = watchPlayer();
  follow(unknown);
  expect(calls).toEqual([]);
  follow(thandi);
  follow(unknown);
  follow(thandi);
  expect(calls).toEqual(['full', 'full']);
});
