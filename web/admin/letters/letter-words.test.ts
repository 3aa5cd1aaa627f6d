import { expect, it } from 'vitest';
import { HOUR } from '#contract/rules/time.ts';
import { describeLetter, describePace, describeSend } from './letter-words.ts';

const counts = { waiting: 0, sent: 0, returned: 0, failed: 0, leftOut: 0, unsubscribed: 0 };
const letter = {
  state: 'sent',
  audience: 'everyone',
  sendAt: null,
  refusal: null,
  startedAt: Date.UTC(2026, 10, 13, 4),
  counts,
} as const;

it('says what the button does, and how long it takes', () => {
  expect(describeSend('everyone', 1204)).toBe('Send to 1,204 members');
  expect(describeSend('lapsed', 1)).toBe('Send to 1 former Premium member');
  expect(describePace(3 * HOUR, { mailsPerHour: 300 })).toBe('About 3 hours at 300 an hour.');
  expect(describePace(20 * 60_000, { mailsPerHour: 0 })).toBe('About 20 minutes.');
  expect(describePace(null, { mailsPerHour: 0 })).toBe('');
});

it('says where a letter is', () => {
  const sending = { ...letter, state: 'sending', counts: { ...counts, sent: 312, waiting: 892 } };
  expect(describeLetter({ ...sending, state: 'sending' }, 2 * HOUR)).toBe(
    '312 of 1,204, about 2 hours to go',
  );
  expect(describeLetter({ ...sending, state: 'stopped' })).toBe('Stopped after 312 of 1,204');
  expect(
    describeLetter({ ...letter, counts: { ...counts, sent: 1, returned: 2, unsubscribed: 1 } }),
  ).toMatch(/, to 1 member · 2 refused or came back · 1 unsubscribed$/);
  expect(describeLetter({ ...letter, state: 'draft', audience: 'free' })).toBe('For free members');
  const refusal = 'This site has no mail server yet.';
  expect(describeLetter({ ...letter, state: 'draft', refusal })).toBe(
    `Didn’t go out at its time. ${refusal}`,
  );
});
