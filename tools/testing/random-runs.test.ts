import fc from 'fast-check';
import { expect, it } from 'vitest';

const fail = (): void => fc.assert(fc.property(fc.nat(), (n) => n < 3));

it('prints the seed of a failure and how to repeat it', () => {
  expect(fail).toThrow(/Counterexample: \[3\][^]*Repeat it with: RANDOM_SEED=\d+ npm /);
});

it('tries the same cases again', () => {
  const drawn = [0, 1].map(() => {
    const cases: number[] = [];
    fc.assert(fc.property(fc.nat(), (n) => void cases.push(n)));
    return cases;
  });
  expect(drawn[0]).toEqual(drawn[1]);
  expect(drawn[0]?.length).toBeGreaterThanOrEqual(24);
});
