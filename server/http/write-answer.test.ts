import { expect, it } from 'vitest';
import { User } from '#contract/accounts.ts';
import { writeAnswer } from './write-answer.ts';

const user: User = {
  id: 'u1',
  username: 'thandi',
  email: 'thandi@example.com',
  isSubscriber: true,
  isAdmin: false,
  avatarUrl: null,
  offlineUntil: null,
};

it('an answer holds what the contract names and nothing else, every time', () => {
  const told = { ...user, password_hash: 'secret' };
  for (const _ of [1, 2]) expect(JSON.parse(writeAnswer(User, told))).toEqual(user);
});
