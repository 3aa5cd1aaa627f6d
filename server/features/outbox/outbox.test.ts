/** @module-tag both-databases */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_PAGE_SIZE } from '#contract/paging.ts';
import { DEMO_PASSWORD, seedDemoAccounts } from '#demo/accounts.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { describeOnSqlite } from '../../testing/on-sqlite.ts';

type Page = { items: { subject: string }[]; nextCursor: string | null };

const COUNT = DEFAULT_PAGE_SIZE + 3;
/** Several messages in the same millisecond, so that the time alone does not say where a page ends. */
const AT_ONCE = 4;

let test: TestApp;
let admin: TestClient;
beforeAll(async () => {
  test = await createTestApp();
  for (let number = 1; number <= COUNT; number += 1) {
    const text = `Message ${number}`;
    await test.deps.mail.send({ to: 'thandi@example.com', subject: text, text, html: text });
    if (number % AT_ONCE === 0) test.clock.advance(1);
  }
  await seedDemoAccounts(test.deps.database.db, test.clock.now());
  admin = test.createClient();
  const payload = { username: 'admin', password: DEMO_PASSWORD };
  await admin.request({ method: 'POST', url: '/api/auth/login', payload });
});
afterAll(() => test.close());

const read = (query: Record<string, string>) => admin.request({ url: '/api/admin/outbox', query });
const readPage = async (query: Record<string, string>) => (await read(query)).json<Page>();

async function readSizes(limit: string): Promise<{ sizes: number[]; subjects: string[] }> {
  const sizes: number[] = [];
  const subjects: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await readPage({ limit, ...(cursor && { cursor }) });
    sizes.push(page.items.length);
    subjects.push(...page.items.map(({ subject }) => subject));
    cursor = page.nextCursor;
  } while (cursor);
  return { sizes, subjects };
}

describe('the pages of the outbox', () => {
  it('have twenty e-mails by default', async () => {
    const { items, nextCursor } = await readPage({});
    expect(items).toHaveLength(DEFAULT_PAGE_SIZE);
    expect(nextCursor).toEqual(expect.any(String));
  });

  it.each([
    ['7', [7, 7, 7, 2]],
    [String(COUNT), [COUNT]],
    [String(COUNT - 1), [COUNT - 1, 1]],
  ])('show every e-mail once with a limit of %s', async (limit, expected) => {
    const whole = await readPage({ limit: '100' });
    const { sizes, subjects } = await readSizes(limit);
    expect(sizes).toEqual(expected);
    expect(subjects).toEqual(whole.items.map(({ subject }) => subject));
    expect(new Set(subjects).size).toBe(COUNT);
  });

  it('continue correctly when a newer e-mail arrives', async () => {
    const [first, whole] = [await readPage({ limit: '5' }), await readPage({ limit: '10' })];
    const text = 'Newer';
    test.clock.advance(1);
    await test.deps.mail.send({ to: 'thandi@example.com', subject: text, text, html: text });
    const second = await readPage({ limit: '5', cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items]).toEqual(whole.items);
    await test.deps.database.db.deleteFrom('outbox').where('subject', '=', text).execute();
  });
});

const encode = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url');

describeOnSqlite('an invalid page request', () => {
  it.each([
    ['no cursor at all', 'nonsense'],
    ['other JSON', encode({ id: 1 })],
    ['too few parts', encode([1])],
    ['wrong types', encode(['1', 1])],
    ['a time beyond all numbers', encode([1e300, 'a'])],
    ['a text no database takes', encode([1, 'a\0'])],
    ['an endless id', encode([1, 'a'.repeat(65)])],
  ])('is rejected: %s', async (_what, cursor) => {
    const response = await read({ cursor });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      code: 'validation_failed',
      fields: { cursor: expect.any(String) },
    });
  });

  it.each(['0', '-1', '101', '1.5', 'many', ''])('is rejected: a limit of "%s"', async (limit) => {
    const response = await read({ limit });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ fields: { limit: expect.any(String) } });
  });
});
