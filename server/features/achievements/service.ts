import type { Achievement } from '#contract/achievements.ts';
import type { ShortList } from '#contract/paging.ts';
import {
  ACHIEVEMENTS,
  addPlay,
  FOUNDER_MS,
  findProgress,
  type AchievementFacts,
} from './achievement-rules.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import type { Db, DialectName } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { publishSignal } from '../live/service.ts';
import {
  countFavorites,
  countPlaylists,
  countYear,
  findFirstUser,
  findPlayFacts,
  insertEarned,
  listEarned,
  markSeen,
  sumProgress,
  updatePlayFacts,
} from './queries.ts';
import { HOUR } from '#contract/rules/time.ts';

export { addPlay, NO_PLAYS, type PlayFacts } from './achievement-rules.ts';

export { exportAchievements, toPlayFactsRow } from './queries.ts';

type CountedPlay = { userId: string; at: number; publishedAt: number | null; timeZone: string };

/** Runs in the transaction that counts the play. */
export const addCountedPlay = (
  tx: Db,
  { userId, ...play }: CountedPlay,
  dialect: DialectName,
): Promise<void> => updatePlayFacts(tx, userId, dialect, (facts) => addPlay(facts, play));

type Context = Pick<Deps, 'clock' | 'config'>;

async function readYearShare(db: Db, { clock, config }: Context, userId: string): Promise<number> {
  const now = clock.now();
  const year = weekOf(now, config.timeZone).year - 1;
  const { tracks, finished } = await countYear(db, { userId, year, now });
  return tracks === 0 ? 0 : (100 * finished) / tracks;
}

async function readFacts(db: Db, context: Context, { user }: Viewer): Promise<AchievementFacts> {
  // One after the other: in a transaction they share a connection.
  const plays = await findPlayFacts(db, user.id);
  const listening = await sumProgress(db, user.id);
  const favorites = await countFavorites(db, user.id);
  const playlists = await countPlaylists(db, user.id);
  const yearShare = await readYearShare(db, context, user.id);
  const first = await findFirstUser(db);
  return {
    ...plays,
    listenedHours: listening.listenedMs / HOUR,
    finishedTracks: listening.finishedTracks,
    favorites,
    playlists,
    yearShare,
    isFounder: first !== undefined && user.created_at < first.created_at + FOUNDER_MS,
  };
}

/** Stores what the user has just reached. Returns whether there was anything. */
async function storeReached(
  db: Db,
  { clock }: Context,
  userId: string,
  facts: AchievementFacts,
): Promise<boolean> {
  const earnedIds = new Set((await listEarned(db, userId)).map((row) => row.achievement));
  const reached = ACHIEVEMENTS.filter(
    (rule) => !earnedIds.has(rule.id) && findProgress(rule, facts) >= rule.goal,
  );
  if (reached.length === 0) return false;
  const earned_at = clock.now();
  const rows = reached.map(({ id }) => ({ achievement: id, earned_at, seen_at: null }));
  await insertEarned(
    db,
    rows.map((row) => ({ user_id: userId, ...row })),
  );
  return true;
}

/** Call it in the transaction of a change that can earn an achievement. Notifies the user's open pages. */
export async function awardAchievements(tx: Db, context: Context, viewer: Viewer): Promise<void> {
  const { id } = viewer.user;
  if (await storeReached(tx, context, id, await readFacts(tx, context, viewer)))
    await publishSignal(tx, `user:${id}/achievements`, context.clock.now());
}

/** Achievements stay earned, even if a favorite is removed later. */
export async function readAchievements(
  deps: Deps,
  viewer: Viewer,
): Promise<ShortList<Achievement>> {
  const { db } = deps.database;
  const userId = viewer.user.id;
  const facts = await readFacts(db, deps, viewer);
  await storeReached(db, deps, userId, facts);
  const earned = new Map((await listEarned(db, userId)).map((row) => [row.achievement, row]));
  return {
    items: ACHIEVEMENTS.map((rule) => {
      const row = earned.get(rule.id);
      const { id, title, description, goal, unit } = rule;
      return {
        id,
        title,
        description,
        goal,
        unit,
        progress: row ? goal : findProgress(rule, facts),
        earnedAt: row?.earned_at ?? null,
        isNew: row !== undefined && row.seen_at === null,
      };
    }),
    nextCursor: null,
  };
}

export async function markAchievementsSeen(
  { database, clock }: Deps,
  { user }: Viewer,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await markSeen(database.db, user.id, ids, clock.now());
}
