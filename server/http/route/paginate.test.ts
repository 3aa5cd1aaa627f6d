/** @module-tag both-databases */
import { sql } from 'kysely';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseCases } from '#tools/testing/random-runs.ts';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { AppError } from './app-error.ts';
import { CursorId, CursorNumber, encodeCursor, paginate, slicePage } from './paginate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

type Message = { created_at: number; id: string; subject: string };

async function writeMessages(messages: readonly Message[]): Promise<void> {
  await database.db.deleteFrom('outbox').execute();
  if (messages.length === 0) return;
  const rest = { recipient: 'ann@example.test', body_text: '', body_html: '' };
  const rows = messages.map((message) => ({ ...message, ...rest }));
  await database.db.insertInto('outbox').values(rows).execute();
}

const selectMessages = () =>
  database.db.selectFrom('outbox').select(['outbox.created_at', 'outbox.id', 'outbox.subject']);

const byTime = {
  orderBy: [
    ['outbox.created_at', CursorNumber],
    ['id', CursorId],
  ],
} as const;

/** Follows the cursors from the first page to the last. */
async function listAllPages<Row>(
  readPage: (cursor: string | undefined) => Promise<{ rows: Row[]; nextCursor: string | null }>,
): Promise<Row[][]> {
  const pages: Row[][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { rows, nextCursor } = await readPage(cursor);
    pages.push(rows);
    cursor = nextCursor;
  }
  return pages;
}

const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Few different values, so that most rows have equals. */
const arbitraryMessages = fc.uniqueArray(
  fc.record({
    created_at: fc.integer({ min: 0, max: 4 }),
    id: fc.stringMatching(/^[a-c0-2]{1,3}$/),
    subject: fc.constantFrom('a', 'B', 'c'),
  }),
  { selector: ({ id }) => id, maxLength: 15 },
);

describe('paginate', () => {
  it('returns every row once and in order, whatever the page size and the direction', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryMessages,
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom('asc' as const, 'desc' as const),
        async (messages, limit, direction) => {
          await writeMessages(messages);
          const pages = await listAllPages((cursor) =>
            paginate(selectMessages(), { cursor, limit }, { ...byTime, direction }),
          );
          const sign = direction === 'asc' ? 1 : -1;
          const sorted = messages.toSorted(
            (a, b) => sign * (a.created_at - b.created_at || compare(a.id, b.id)),
          );
          expect(pages.flat()).toEqual(sorted);
          for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
          if (messages.length > 0) expect(pages.at(-1)).not.toEqual([]);
        },
      ),
      { numRuns: chooseCases(25, 1000) },
    );
  });

  it('orders by a computed column', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryMessages, async (messages) => {
        await writeMessages(messages);
        const lower = sql<string>`lower(outbox.subject)`;
        const pages = await listAllPages((cursor) =>
          paginate(
            selectMessages().select(lower.as('sort_key')),
            { cursor, limit: 2 },
            {
              orderBy: [
                ['sort_key', z.string(), lower],
                ['outbox.id', CursorId],
              ],
              direction: 'asc',
            },
          ),
        );
        const sorted = messages.toSorted(
          (a, b) =>
            compare(a.subject.toLowerCase(), b.subject.toLowerCase()) || compare(a.id, b.id),
        );
        expect(pages.flat().map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
      }),
      { numRuns: chooseCases(20, 1000) },
    );
  });

  it('continues at the same row when rows arrive at the top between two pages', async () => {
    const message = (created_at: number) => ({ created_at, id: `m${created_at}`, subject: 'a' });
    await writeMessages([1, 2, 3, 4].map(message));
    const first = await paginate(selectMessages(), { limit: 2 }, byTime);
    await writeMessages([1, 2, 3, 4, 5].map(message));
    const second = await paginate(
      selectMessages(),
      { limit: 2, cursor: first.nextCursor ?? undefined },
      byTime,
    );
    expect([...first.rows, ...second.rows].map((row) => row.created_at)).toEqual([4, 3, 2, 1]);
    expect(second.nextCursor).toBeNull();
  });

  it.each([
    ['is no base64', '%%%'],
    ['is no JSON', Buffer.from('nonsense').toString('base64url')],
    ['is no list', encodeCursor({ created_at: 1, id: 'a' })],
    ['has too few values', encodeCursor([1])],
    ['has too many values', encodeCursor([1, 'a', 'b'])],
    ['has text instead of a number', encodeCursor(['1', 'a'])],
    ['has a number that no column can store', encodeCursor([1e300, 'a'])],
    ['has a number instead of text', encodeCursor([1, 2])],
    ['contains a NUL', encodeCursor([1, 'a\0'])],
    ['has quotes in an id', encodeCursor([1, `'; drop table outbox; --`])],
  ])('rejects a cursor that %s', async (_reason, cursor) => {
    const rejection = await paginate(selectMessages(), { cursor }, byTime).catch(
      (error: unknown) => error,
    );
    expect(rejection).toBeInstanceOf(AppError);
    expect(rejection).toMatchObject({ code: 'validation_failed' });
    expect((rejection as AppError).fields).toHaveProperty('cursor');
  });
});

describe('slicePage', () => {
  it('has a next page only when there is one row more than the limit', () => {
    const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
    expect(slicePage(rows, 3, ({ id }) => id)).toEqual({ rows, nextCursor: null });
    expect(slicePage(rows, 2, ({ id }) => [id])).toEqual({
      rows: rows.slice(0, 2),
      nextCursor: encodeCursor(['b']),
    });
    expect(slicePage([], 2, () => [])).toEqual({ rows: [], nextCursor: null });
  });
});
