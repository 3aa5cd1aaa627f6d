import type { Achievement } from '#contract/achievements.ts';
import {
  ACHIEVEMENTS,
  addPlay,
  FOUNDER_MS,
  findProgress,
  type AchievementFacts,
} from '#contract/rules/achievements.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import type { Db, DialectName } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/guards.ts';
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

export { exportAchievements, toPlayFactsRow } from './queries.ts';

type CountedPlay = { userId: string; at: number; publishedAt: number | null; timeZone: string };

/** Runs in the transaction that counts the play. */
export const addCountedPlay = (
  tx: Db,
  { userId, ...play }: CountedPlay,
  dialect: DialectName,
): Promise<void> => updatePlayFacts(tx, userId, dialect, (facts) => addPlay(facts, play));

async function readYearShare(
  { database: { db }, clock, config }: Deps,
  userId: string,
): Promise<number> {
  const now = clock.now();
  const year = weekOf(now, config.timeZone).year - 1;
  const { tracks, finished } = await countYear(db, { userId, year, now });
  return tracks === 0 ? 0 : (100 * finished) / tracks;
}

async function readFacts(deps: Deps, { user }: Viewer): Promise<AchievementFacts> {
  const { db } = deps.database;
  const [plays, listening, favorites, playlists, yearShare, first] = await Promise.all([
    findPlayFacts(db, user.id),
    sumProgress(db, user.id),
    countFavorites(db, user.id),
    countPlaylists(db, user.id),
    readYearShare(deps, user.id),
    findFirstUser(db),
  ]);
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

/** Achievements stay earned, even if a favorite is removed later. */
export async function readAchievements(
  deps: Deps,
  viewer: Viewer,
): Promise<{ items: Achievement[] }> {
  const { db } = deps.database;
  const userId = viewer.user.id;
  const facts = await readFacts(deps, viewer);
  const earnedIds = new Set((await listEarned(db, userId)).map((row) => row.achievement));
  const reached = ACHIEVEMENTS.filter(
    (rule) => !earnedIds.has(rule.id) && findProgress(rule, facts) >= rule.goal,
  );
  if (reached.length > 0) {
    const earned_at = deps.clock.now();
    const rows = reached.map(({ id }) => ({ achievement: id, earned_at, seen_at: null }));
    await insertEarned(
      db,
      rows.map((row) => ({ user_id: userId, ...row })),
    );
  }
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
  };
}

export async function markAchievementsSeen(
  { database, clock }: Deps,
  { user }: Viewer,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await markSeen(database.db, user.id, ids, clock.now());
}
