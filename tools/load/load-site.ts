import { join } from 'node:path';
import { DAY } from '#contract/rules/time.ts';
import { weekDays } from '#contract/rules/weeks.ts';
import { parseConfig } from '#server/config.ts';
import { buildTrack, buildUser } from '#server/db/build-rows.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps } from '#server/deps.ts';
import { hashToken, newToken } from '#server/http/route/tokens.ts';

/** What the clients need to know. */
export type LoadSite = {
  trackIds: string[];
  /** A session for each member. */
  cookies: string[];
};

const TRACKS = 60;
export const FILE_SIZE = 4 * 1024 * 1024;
const BATCH = 200;
const SESSION_MS = 7 * DAY;

/** Writes published mixes with audio, and members with sessions, into an empty folder. */
export async function writeLoadSite(dataDir: string, members: number): Promise<LoadSite> {
  const env = { DATA_DIR: dataDir, APP_ORIGIN: 'http://127.0.0.1', LOG_LEVEL: 'error' };
  const deps = await createDeps(parseConfig(env));
  const { db } = deps.database;
  const now = deps.clock.now();
  try {
    await migrate(deps.database, now);
    const key = 'tracks/audio-of-the-load-test.mp3';
    await deps.storage.put(key, Buffer.alloc(FILE_SIZE, 1));
    const tracks = Array.from({ length: TRACKS }, (_, index) =>
      buildTrack({
        id: `mix-${index}`,
        title: `Mix ${index}`,
        year: 2025,
        week: 1 + (index % 50),
        genre: 'Amapiano',
        duration_ms: 3_600_000,
        status: 'ready',
        progress: 100,
        publish_at: weekDays({ year: 2025, week: 1 + (index % 50) }).monday,
        created_at: now,
      }),
    );
    await db.insertInto('tracks').values(tracks).execute();
    await db
      .insertInto('renditions')
      .values(
        tracks.flatMap(({ id }) =>
          (['stream', 'preview'] as const).map((name) => ({
            track_id: id,
            name,
            key,
            size: FILE_SIZE,
            media_type: 'audio/mpeg',
          })),
        ),
      )
      .execute();
    const tokens = Array.from({ length: members }, newToken);
    for (let start = 0; start < members; start += BATCH) {
      const batch = tokens.slice(start, start + BATCH);
      const users = batch.map((_, index) =>
        buildUser({
          id: `member-${start + index}`,
          paid_through: now + 300 * DAY,
          created_at: now,
        }),
      );
      await db.insertInto('users').values(users).execute();
      await db
        .insertInto('sessions')
        .values(
          batch.map((token, index) => ({
            token_hash: hashToken(token),
            user_id: `member-${start + index}`,
            user_agent: 'load',
            ip: '127.0.0.1',
            created_at: now,
            last_seen_at: now,
            expires_at: now + SESSION_MS,
          })),
        )
        .execute();
    }
    return {
      trackIds: tracks.map(({ id }) => id),
      cookies: tokens.map((token) => `session=${token}`),
    };
  } finally {
    await closeDeps(deps);
  }
}

export const siteFile = (folder: string): string => join(folder, 'load-site.json');
