import { afterEach, beforeEach, vi, type MockInstance } from 'vitest';

let printed: MockInstance<typeof console.error>;

beforeEach(({ task }) => {
  // Most server tests run twice: the report names only the file, so the test says on what.
  if (process.env.TEST_DIALECT) Object.assign(task.meta, { database: process.env.TEST_DIALECT });
  printed = vi.spyOn(console, 'error');
});

/**
 * A test that expects an error on the console silences it with `vi.spyOn(console, 'error')`, looks
 * at what was printed, and clears the calls. Unhandled rejections fail the run in Vitest itself.
 */
afterEach(() => {
  const calls = printed.mock.calls.map((call) => call.map(String).join(' '));
  printed.mockRestore();
  if (calls.length > 0) {
    throw new Error(`The test printed an error that it did not expect:\n${calls.join('\n')}`);
  }
});
