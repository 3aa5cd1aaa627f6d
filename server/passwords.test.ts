import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { closeDeps, createDeps } from './deps.ts';
import {
  buildDummyHash,
  createPasswordQueue,
  hashPassword,
  OWASP_COST,
  TooManyPasswords,
  verifyPassword,
} from './passwords.ts';

const OWASP = '$argon2id$v=19$m=19456,t=2,p=1$';

it('hashes passwords as OWASP recommends, and checking an unknown user takes as long', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'passwords-'));
  const deps = await createDeps(parseConfig({ DATA_DIR: dataDir }));
  const hash = await hashPassword('quiet harbour', deps.passwordCost);
  await closeDeps(deps);
  await rm(dataDir, { recursive: true });
  const dummy = buildDummyHash(deps.passwordCost);
  expect([hash.startsWith(OWASP), dummy.startsWith(OWASP)]).toEqual([true, true]);
});

it('treats two encodings of the same characters as one password', async () => {
  const hash = await hashPassword('Cafe\u0301 del sol');
  expect(await verifyPassword(hash, 'Caf\u00e9 del sol', OWASP_COST)).toBe(true);
  expect(await verifyPassword(undefined, 'Caf\u00e9 del sol', OWASP_COST)).toBe(false);
});

describe('a rush of logins', () => {
  /** Tasks that end when they are told to. */
  const createTasks = (count: number) =>
    Array.from({ length: count }, () => Promise.withResolvers<void>());
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('hashes two passwords at a time, in the order in which they came', async () => {
    const enqueue = createPasswordQueue();
    const started: number[] = [];
    const tasks = createTasks(5);
    const done = tasks.map((task, index) =>
      enqueue(() => {
        started.push(index);
        return task.promise;
      }),
    );
    await settle();
    expect(started).toEqual([0, 1]);
    tasks[1]?.resolve();
    await settle();
    expect(started).toEqual([0, 1, 2]);
    tasks[0]?.reject(new Error('unreadable hash'));
    await expect(done[0]).rejects.toThrow('unreadable hash');
    await settle();
    expect(started).toEqual([0, 1, 2, 3]);
    for (const task of tasks) task.resolve();
    await Promise.all(done.slice(1));
    expect(started).toEqual([0, 1, 2, 3, 4]);
  });

  it('lets users go first who are known here, and never refuses them because of others', async () => {
    const enqueue = createPasswordQueue(1, 2);
    const tasks = createTasks(4);
    const started: number[] = [];
    const add = (index: number, isKnown = false) =>
      enqueue(() => {
        started.push(index);
        return tasks[index]!.promise;
      }, isKnown);
    const done = [add(0), add(1), add(2), add(3, true)];
    for (const task of tasks) task.resolve();
    await Promise.all(done);
    expect(started).toEqual([0, 3, 1, 2]);
  });

  it('is refused when too many wait, and taken again afterwards', async () => {
    const enqueue = createPasswordQueue(1, 2);
    const tasks = createTasks(3);
    const done = tasks.map((task) => enqueue(() => task.promise));
    await expect(enqueue(async () => {})).rejects.toThrow(TooManyPasswords);
    for (const task of tasks) task.resolve();
    await Promise.all(done);
    expect(await enqueue(async () => 'hashed')).toBe('hashed');
  });
});
