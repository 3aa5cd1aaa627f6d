import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppPassword } from '#contract/clients/app-passwords.ts';
import type { PodcastFeeds } from '#contract/clients/podcasts.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { buildApp } from '#server/app.ts';
import { parseConfig } from '#server/config.ts';
import { buildTrack, buildUser } from '#server/db/build-rows.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps, type Deps } from '#server/deps.ts';
import { createMasterKey, startIngest } from '#server/features/ingest/service.ts';
import { indexTrack } from '#server/features/search/service.ts';
import { hashToken, newToken } from '#server/http/route/tokens.ts';
import { jobList } from '#server/job-list.ts';
import { createWorker } from '#server/jobs/worker.ts';
import { writeToneWav } from '#server/testing/tone-wav.ts';
import { findFreePort } from '../testing/free-port.ts';

/** In seconds: long enough to seek in. */
export const LENGTH = 60;
const TITLES = ['Braai', 'Night Bus', 'Golden Hour Pressure'];
const USERNAME = 'sipho';

/** What a program asked for: “stream”, “feed”, and so on. */
export type Asked = { path: string; query: URLSearchParams; range: string | null; status: number };

/** What programs need to connect, and what they should find. */
export type ClientSite = {
  origin: string;
  username: string;
  password: string;
  /** Of full mixes. */
  feed: string;
  mixes: { id: string; title: string }[];
  /** The address of a call, as a music app with a token builds it. */
  callUrl: (name: string, query: Record<string, string>) => string;
  /** All that was answered so far, oldest first. */
  asked: readonly Asked[];
  close: () => Promise<void>;
};

async function addMix({ database, storage, clock }: Deps, title: string, index: number) {
  const now = clock.now();
  const track = buildTrack({
    id: `mix-${index}`,
    title,
    year: 2026,
    week: 40 + index,
    genre: 'Amapiano',
    description: `About ${title}.`,
    duration_ms: LENGTH * 1000,
    chapters: JSON.stringify([
      { at: 0, title: 'Intro', artist: 'Relay Room' },
      { at: 45, title: 'Candle Math', artist: 'Kasi Voltage' },
    ]),
    preview_start_ms: 0,
    status: 'ready',
    publish_at: now - (4 - index) * HOUR,
    created_at: now - 10 * DAY,
  });
  const { runId, masterKey } = createMasterKey('wav', now);
  await storage.put(masterKey, writeToneWav({ seconds: LENGTH, loudFrom: 5 + index }));
  await database.db.transaction().execute(async (tx) => {
    await tx.insertInto('tracks').values(track).execute();
    await indexTrack(tx, database.dialect, track);
    await startIngest(tx, { trackId: track.id, runId, masterKey, now });
  });
  return { id: track.id, title };
}

/** Three mixes, which play once the jobs that wait have run. */
export async function addMixes(deps: Deps): Promise<{ id: string; title: string }[]> {
  const mixes = [];
  for (const [index, title] of TITLES.entries()) mixes.push(await addMix(deps, title, index));
  return mixes;
}

/** A member with Premium, who is logged in and has just entered the password. Returns the session. */
async function addMember({ database: { db }, clock }: Deps): Promise<string> {
  const now = clock.now();
  const token = newToken();
  const user = buildUser({
    id: 'member',
    username: USERNAME,
    paid_through: now + 30 * DAY,
    created_at: now,
  });
  await db.insertInto('users').values(user).execute();
  await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: user.id,
      user_agent: 'clients',
      ip: '127.0.0.1',
      created_at: now,
      last_seen_at: now,
      confirmed_at: now,
      expires_at: now + DAY,
    })
    .execute();
  return token;
}

/** A site on the loopback address with three mixes, made from real masters, and a member of it. */
export async function startClientSite(dataDir: string): Promise<ClientSite> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = { DATA_DIR: dataDir, APP_ORIGIN: origin, PORT: String(port), LOG_LEVEL: 'error' };
  const deps = await createDeps(parseConfig(env));
  await migrate(deps.database, deps.clock.now());
  const worker = createWorker({ deps, jobs: jobList });
  deps.jobs.attach(worker);
  const mixes = await addMixes(deps);
  const session = await addMember(deps);
  await worker.runDue();
  const app = await buildApp(deps);
  await app.listen({ host: '127.0.0.1', port });
  const asked: Asked[] = [];
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', origin);
    const range = request.headers.range ?? null;
    // A player that seeks closes the answer before its end.
    response.once('close', () => asked.push({ path, query, range, status: response.statusCode }));
  });
  const post = async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(origin + path, {
      method: 'POST',
      headers: {
        cookie: `session=${session}`,
        origin,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { own } = await post<PodcastFeeds>('/api/me/podcast-feed');
  if (!own) throw new Error('The member has no feed.');
  const { password } = await post<{ appPassword: AppPassword; password: string }>(
    '/api/me/app-passwords',
    { name: 'clients' },
  );
  const s = 'c19b2d';
  const auth = { u: USERNAME, t: hash('md5', password + s, 'hex'), s, v: '1.16.1', c: 'clients' };
  return {
    origin,
    username: USERNAME,
    password,
    feed: own.url,
    mixes,
    callUrl: (name, query) =>
      `${origin}/rest/${name}.view?${new URLSearchParams({ ...auth, ...query }).toString()}`,
    asked,
    close: async () => {
      await app.close();
      await worker.stop();
      await closeDeps(deps);
    },
  };
}
