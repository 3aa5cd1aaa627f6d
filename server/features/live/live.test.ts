import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAdmin } from '../../testing/test-admin.ts';
import { createUser } from '../../testing/test-user.ts';
import { cookieOf, createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createHub, TOLD_AT_ONCE } from './hub.ts';
import { deleteUserSignals, publishSignal } from './service.ts';

let test: TestApp;
let origin: string;
beforeEach(async () => {
  test = await createTestApp();
  origin = await test.app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => test.close());

const listen = async (client: TestClient) => {
  const answer = await fetch(`${origin}/api/live`, { headers: { cookie: cookieOf(client) } });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const readUntil = async (text: string): Promise<string> => {
    let received = '';
    while (!received.includes(text)) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      received += value ?? '';
    }
    return received;
  };
  return { answer, readUntil };
};

describe('the stream of changes', () => {
  it('tells visitors to stop reconnecting', async () => {
    const answer = await test.createClient().request({ method: 'GET', url: '/api/live' });
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
  });

  it('sends users only their own changes, and ends when the server stops', async () => {
    const { client, user } = await createUser(test);
    const { answer, readUntil } = await listen(client);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(await readUntil('retry')).toContain('retry: 2000');
    const { db } = test.deps.database;
    await db.transaction().execute(async (tx) => {
      await publishSignal(tx, 'user:someone-else', test.clock.now());
      await publishSignal(tx, 'user:someone-else/listening:a', test.clock.now());
      await publishSignal(tx, 'admin:tracks', test.clock.now());
      await publishSignal(tx, `user:${user.id}`, test.clock.now());
    });
    expect(await readUntil('me')).toBe('data: me\n\n');
    await publishSignal(db, 'everyone/mixes', test.clock.now());
    expect(await readUntil('me/mixes')).toBe('data: me/mixes\n\n');
    const rest = readUntil('never sent');
    await test.app.close();
    expect(await rest).toBe('');
  });

  it('names the track that the user got further in, and forgets it with the account', async () => {
    const { client, user } = await createUser(test);
    const { readUntil } = await listen(client);
    const { db } = test.deps.database;
    await publishSignal(db, `user:${user.id}/listening:track-1`, test.clock.now());
    await publishSignal(db, `user:${user.id}0/listening:track-2`, test.clock.now());
    expect(await readUntil('listening')).toContain('data: me/listening:track-1\n\n');
    await deleteUserSignals(db, user.id);
    const left = await db.selectFrom('signals').select('topic').execute();
    expect(left).toEqual([{ topic: `user:${user.id}0/listening:track-2` }]);
  });

  it('sends administrators changes of admin data', async () => {
    const { client, user } = await createUser(test);
    const { db } = test.deps.database;
    await db.updateTable('users').set({ is_admin: 1 }).where('id', '=', user.id).execute();
    const { readUntil } = await listen(client);
    await publishSignal(db, 'admin:tracks', test.clock.now());
    expect(await readUntil('admin')).toContain('data: admin:tracks\n\n');
  });

  it('tells administrators about active listeners without writing a row', async () => {
    const { client } = await createAdmin(test);
    const { readUntil } = await listen(client);
    expect(await readUntil('pulse')).toContain('data: admin:pulse\n\n');
    expect(await test.deps.database.db.selectFrom('signals').selectAll().execute()).toEqual([]);
  });

  it('doesn’t send a change that was rolled back', async () => {
    const { client, user } = await createUser(test);
    const { readUntil } = await listen(client);
    const { db } = test.deps.database;
    const failing = db.transaction().execute(async (tx) => {
      await publishSignal(tx, 'admin:tracks', test.clock.now());
      await publishSignal(tx, `user:${user.id}`, test.clock.now());
      throw new Error('not after all');
    });
    await expect(failing).rejects.toThrow('not after all');
    expect(await db.selectFrom('signals').selectAll().execute()).toEqual([]);
    const rest = readUntil('never sent');
    await test.app.close();
    expect(await rest).toBe('retry: 2000\n\n');
  });

  it('limits open streams per user', async () => {
    const { client } = await createUser(test);
    const streams = [];
    for (let index = 0; index < 10; index += 1) streams.push(await listen(client));
    const { answer } = await listen(client);
    expect([streams.map((one) => one.answer.status), answer.status]).toEqual([
      Array.from({ length: 10 }, () => 200),
      429,
    ]);
  });
});

describe('a change that concerns everyone', () => {
  it('reaches the open pages in turns, and all of them', async () => {
    const signals = [{ id: 'a', topic: 'everyone/mixes', created_at: 0 }];
    const hub = createHub({
      read: async () => signals,
      onError: () => undefined,
      everyMs: 1_000_000,
      now: () => 0,
    });
    const pages = Array.from({ length: 2 * TOLD_AT_ONCE + 5 }, () => {
      const page = { told: 0, close: () => {} };
      page.close = hub.subscribe({ isInterestedIn: () => true, send: () => (page.told += 1) });
      return page;
    });
    const count = () => pages.filter(({ told }) => told === 1).length;
    const counts: number[] = [];
    for (let poll = 0; poll < 4; poll += 1) {
      await hub.poll();
      counts.push(count());
      pages.at(-1)?.close();
    }
    expect(counts).toEqual([
      TOLD_AT_ONCE,
      2 * TOLD_AT_ONCE,
      2 * TOLD_AT_ONCE + 4,
      2 * TOLD_AT_ONCE + 4,
    ]);
    // Said again before all have heard it: everyone hears it once more.
    for (const page of pages) page.told = 0;
    signals.push({ id: 'b', topic: 'everyone/mixes', created_at: 0 });
    await hub.poll();
    signals.push({ id: 'c', topic: 'everyone/mixes', created_at: 0 });
    for (let poll = 0; poll < 4; poll += 1) await hub.poll();
    expect(pages.filter(({ told }) => told === 0)).toEqual([pages.at(-1)]);
    hub.close();
  });
});

describe('figures that change without a signal', () => {
  const sent: string[] = [];
  let time = 0;
  let value = 1;
  let reads = 0;
  const hub = createHub({
    read: async () => [],
    onError: () => undefined,
    everyMs: 1_000_000,
    now: () => time,
    watch: {
      topic: 'admin:pulse',
      everyMs: 3000,
      read: async () => {
        reads += 1;
        return String(value);
      },
    },
  });
  const join = (isAdmin: boolean) =>
    hub.subscribe({ isInterestedIn: () => isAdmin, send: (topic) => sent.push(topic) });
  const pollAt = async (at: number) => {
    time = at;
    await hub.poll();
  };

  it('are polled every few seconds while an administrator is watching, and sent when they change', async () => {
    const leaveUser = join(false);
    await pollAt(0);
    expect(reads).toBe(0);
    const leave = join(true);
    await pollAt(1);
    expect([reads, sent]).toEqual([1, ['admin:pulse']]);
    value = 2;
    await pollAt(2000);
    expect(reads).toBe(1);
    await pollAt(3001);
    await pollAt(6100);
    expect([reads, sent]).toEqual([3, ['admin:pulse', 'admin:pulse']]);
    leave();
    await pollAt(10_000);
    expect(reads).toBe(3);
    leaveUser();
    hub.close();
  });
});
