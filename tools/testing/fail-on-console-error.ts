import { afterEach, beforeEach, vi, type MockInstance } from 'vitest';

let printed: MockInstance<typeof console.error>;

beforeEach(({ task }) => {
  // Most server tests run on both databases, and the report needs to name the one that failed.
  if (process.env.TEST_DIALECT) Object.assign(task.meta, { database: process.env.TEST_DIALECT });
  printed = vi.spyOn(console, 'error');
});

/**
 * A test that expects an error on the console silences it with `vi.spyOn(console, 'error')`, checks
 * the calls and clears them. Vitest itself fails the run on unhandled rejections.
 */
afterEach(() => {
  const calls = printed.mock.calls.map((call) => call.map(String).join(' '));
  printed.mockRestore();
  if (calls.length > 0) {
    throw new Error(`The test printed an unexpected error:\n${calls.join('\n')}`);
  }
});
