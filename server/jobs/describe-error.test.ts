/** @module-tag both-databases */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeError } from './describe-error.ts';

it('keeps the message and drops the stack', () => {
  expect(describeError(new Error('The mail server refused the message.'))).toBe(
    'The mail server refused the message.',
  );
});

it.each([
  ['connect postgres://app:hunter2@db/main failed', 'connect postgres://…@db/main failed'],
  ['Authorization: Bearer abc.def', 'Authorization: Bearer …'],
  ['bad login password=hunter2, user=jo', 'bad login password=…, user=jo'],
  ['{"apiKey":"k-1","a":1}', '{"apiKey":…,"a":1}'],
  [`GET /reset-password/${'a1B_'.repeat(11)} failed`, 'GET /reset-password/… failed'],
])('removes secrets from %j', (message, expected) => {
  expect(describeError(new Error(message))).toBe(expected);
});

it('explains an invalid payload without quoting it', () => {
  const result = z.object({ userId: z.string() }).safeParse({ userId: 4711 });
  expect(describeError(result.error)).toContain('userId');
  expect(describeError(result.error)).not.toContain('4711');
});

it('turns any thrown value into text that fits and can be stored', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string({ maxLength: 2000 })), (thrown) => {
      const text = describeError(thrown);
      expect(text.length).toBeLessThanOrEqual(500);
      expect(text).not.toContain('\0');
    }),
  );
});
