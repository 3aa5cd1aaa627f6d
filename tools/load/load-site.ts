import { join } from 'node:path';
import { DAY } from '#contract/rules/time.ts';
import { weekDays } from '#contract/rules/weeks.ts';
import { parseConfig } from '#server/config.ts';
import { buildTrack, buildUser } from '#server/db/build-rows.ts';
import { changeSettings } from '#server/db/settings.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps } from '#server/deps.ts';
import { hashToken, newToken } from '#server/http/route/tokens.ts';
import { loadSharp } from '#server/ports/media/load-sharp.ts';

/** What the clients need to know. */
export type LoadSite = {
  trackIds: string[];
  /** A session for each member. */
  cookies: string[];
  /** The mix that comes out during a run, if one does. */
  release: { id: string; cover: string } | null;
};

/** Of ten members, six are subscribers and three have a free account; one opens links where it isn’t logged in. */
export const roleOf = (index: number): 'subscriber' | 'free' | 'visitor' =>
  index % 10 < 6 ? 'subscriber' : index % 10 < 9 ? 'free' : 'visitor';

const TRACKS = 60;
export const FILE_SIZE = 4 * 1024 * 1024;
const BATCH = 200;
const SESSION_MS = 7 * DAY;
const RELEASE = { id: 'release', cover: 'releasecover' };

type SiteContent = {
  members: number;
  /** Cookies have another name with HTTPS. */
  isSecure: boolean;
  /** A mix with a cover comes out this much later. */
  releaseInMs?: number | undefined;
};

/** As large as the site stores covers, and as hard to compress as a photograph. */
async function drawCover(): Promise<Buffer> {
  const sharp = await loadSharp();
  const side = 1200;
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const picture = { width: side, height: side, channels: 3, background: '#000', noise } as const;
  return sharp({ create: picture }).blur(4).webp({ quality: 82 }).toBuffer();
}

/** Writes published mixes with audio, and members with sessions, into an empty folder and database. */
export async function writeLoadSite(
  site: { DATA_DIR: string; DATABASE_URL?: string },
  { members, isSecure, releaseInMs }: SiteContent,
): Promise<LoadSite> {
  const env = { ...site, APP_ORIGIN: 'http://127.0.0.1', LOG_LEVEL: 'error' };
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
        // No mail about these.
        announced_at: now,
      }),
    );
    if (releaseInMs !== undefined) {
      // All get their mail at the same time.
      await changeSettings(db, { earlyAccessHours: 0 }, now);
      await deps.storage.put(`covers/${RELEASE.cover}.webp`, await drawCover());
      tracks.push(
        buildTrack({
          id: RELEASE.id,
          title: 'The new mix',
          year: 2026,
          week: 1,
          description: 'Log drums at walking pace, and a long way home.',
          genre: 'Amapiano',
          duration_ms: 3_600_000,
          status: 'ready',
          progress: 100,
          cover_key: `covers/${RELEASE.cover}.webp`,
          publish_at: now + releaseInMs,
          created_at: now,
        }),
      );
    }
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
          ...(roleOf(start + index) === 'subscriber' && { paid_through: now + 300 * DAY }),
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
      trackIds: tracks.map(({ id }) => id).filter((id) => id !== RELEASE.id),
      cookies: tokens.map((token) => `${isSecure ? '__Host-' : ''}session=${token}`),
      release: releaseInMs === undefined ? null : RELEASE,
    };
  } finally {
    await closeDeps(deps);
  }
}

export const siteFile = (folder: string): string => join(folder, 'load-site.json');
