import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '#server/app.ts';
import { parseConfig } from '#server/config.ts';
import type { Database } from '#server/db/connect.ts';
import { createDeps, type Deps } from '#server/deps.ts';
import { createLog } from '#server/log/log.ts';
import { probeQueue } from '#server/jobs/jobs-handle.ts';
import { createSandbox } from '#server/ports/payments/sandbox/sandbox.ts';
import {
  createPerson,
  PASSWORD,
  ROLES,
  type Person,
  type Role,
} from '#server/testing/access/people.ts';
import { createThings, createTracks } from '#server/testing/access/things.ts';

const ORIGIN = 'http://127.0.0.1:3000';
const CHEAP = { memoryCost: 64, timeCost: 1, parallelism: 1 };

export type FuzzSite = {
  app: FastifyInstance;
  deps: Deps;
  /** Lets time pass, so that no limit refuses everything. */
  advance: (ms: number) => void;
  people: () => Record<Role, Person>;
  /** Ids, tokens and names that exist, of everyone. */
  known: () => readonly string[];
  /** New accounts, because requests log people out and delete them. */
  renew: () => Promise<void>;
  /** The last line that was logged as an error. */
  lastError: () => string;
  close: () => Promise<void>;
};

/** The site in this process on a migrated database: with mixes and accounts of every kind. */
export async function openFuzzSite(database: Database): Promise<FuzzSite> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fuzz-'));
  let now = Date.UTC(2026, 10, 15, 12);
  let lastError = '';
  const clock = { now: () => now };
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lastError = chunk.toString();
      done();
    },
  });
  const config = {
    ...parseConfig({ DATA_DIR: dataDir, APP_ORIGIN: ORIGIN }),
    webRoot: join(dataDir, 'web'),
    // Refused as private, so that nothing leaves this machine.
    listenbrainzUrl: 'https://127.0.0.1',
  };
  // Without a build, every page would answer 503.
  await mkdir(config.webRoot);
  const template = join(import.meta.dirname, '../../web/index.html');
  await copyFile(template, join(config.webRoot, 'index.html'));
  const sandbox = createSandbox({ database, clock, site: { origin: ORIGIN }, monthMs: null });
  const deps = await createDeps(config, {
    database,
    clock,
    payments: sandbox.payments,
    passwordCost: CHEAP,
    log: createLog('error', stream),
  });
  deps.jobs.attach({ wake: () => {}, probe: () => probeQueue(database.db, now) });
  const app = await buildApp(deps);
  const tracks = await createTracks(deps);
  const things = createThings({ app, deps, sandbox }, tracks);
  let people = {} as Record<Role, Person>;
  let known: string[] = [];

  const renew = async () => {
    const entries: [Role, Person][] = [];
    for (const role of ROLES) entries.push([role, await createPerson(deps, role)]);
    people = Object.fromEntries(entries) as Record<Role, Person>;
    const { free, subscriber, admin } = people;
    known = [
      ...Object.values(tracks).map(({ id }) => id),
      ...Object.values(people).flatMap(({ id, username, email }) => [id, username, email]),
      await things.playlist(free),
      await things.playlist(subscriber, { token: `shared${subscriber.id}` }),
      `shared${subscriber.id}`,
      await things.playlist(free, { isDeleted: true }),
      await things.invoice(free),
      await things.creditNote(free),
      await things.upload(admin),
      await things.failedJob(),
      await things.paymentIssue(free),
      await things.gift(),
      (await things.play(free)).playId,
      (await things.checkout(free)).reference,
      await things.sessionId(subscriber),
      await things.unsubscribeToken(free),
      PASSWORD,
      'sandbox',
      'mp3',
      'preview',
      'delete',
    ];
  };
  await renew();

  return {
    app,
    deps,
    advance: (ms) => {
      now += ms;
    },
    people: () => people,
    known: () => known,
    renew,
    lastError: () => lastError,
    close: async () => {
      await app.close();
      deps.mail.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
