import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashToken, newToken } from './tokens.ts';

it('gives each token its own hash, however often it’s hashed', () => {
  const tokens = Array.from({ length: 1500 }, newToken);
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
  expect(tokens.map(hashToken)).toEqual(hashes);
  expect(tokens.toReversed().map(hashToken)).toEqual(hashes.toReversed());
});

it.each(['', 'x', 'a'.repeat(10_000)])(
  'also hashes text that isn’t one of our tokens: %.5s',
  (text) => {
    const hashed = createHash('sha256').update(text).digest('hex');
    expect([hashToken(text), hashToken(text)]).toEqual([hashed, hashed]);
  },
);
