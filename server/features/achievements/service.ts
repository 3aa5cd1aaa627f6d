import type { Achievement } from '#contract/achievements.ts';
import {
  ACHIEVEMENTS,
  addPlay,
  FOUNDER_MS,
  progressOf,
  type MemberFacts,
} from '#contract/rules/achievements.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import type { Db, DialectName } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/guards.ts';
import {
  countFavorites,
  countPlaylists,
  countYear,
  findFirstMember,
  findPlayFacts,
  insertEarned,
  listEarned,
  markSeen,
  sumProgress,
  updatePlayFacts,
} from './queries.ts';
import { HOUR } from '#contract/rules/time.ts';

export { exportAchievements } from './queries.ts';
export { toPlayFactsRow } from './queries.ts';

type CountedPlay = { userId: string; at: number; publishedAt: number | null; timeZone: string };

/** In the transaction that counts the play. */
export const noteCountedPlay = (
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
  const { mixes, heard } = await countYear(db, { userId, year, now });
  return mixes === 0 ? 0 : (100 * heard) / mixes;
}

async function readFacts(deps: Deps, { user }: Viewer): Promise<MemberFacts> {
  const { db } = deps.database;
  const [plays, listening, favorites, playlists, yearShare, first] = await Promise.all([
    findPlayFacts(db, user.id),
    sumProgress(db, user.id),
    countFavorites(db, user.id),
    countPlaylists(db, user.id),
    readYearShare(deps, user.id),
    findFirstMember(db),
  ]);
  return {
    ...plays,
    heardHours: listening.listenedMs / HOUR,
    heardMixes: listening.heardMixes,
    favorites,
    playlists,
    yearShare,
    isFounder: first !== undefined && user.created_at < first.created_at + FOUNDER_MS,
  };
}

/** What is reached is earned from then on, also when a favorite is taken back later. */
export async function readAchievements(
  deps: Deps,
  viewer: Viewer,
): Promise<{ items: Achievement[] }> {
  const { db } = deps.database;
  const userId = viewer.user.id;
  const facts = await readFacts(deps, viewer);
  const known = new Set((await listEarned(db, userId)).map((row) => row.achievement));
  const reached = ACHIEVEMENTS.filter(
    (rule) => !known.has(rule.id) && progressOf(rule, facts) >= rule.goal,
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
      const { id, title, description, goal } = rule;
      return {
        id,
        title,
        description,
        goal,
        progress: row ? goal : progressOf(rule, facts),
        earnedAt: row?.earned_at ?? null,
        isNew: row !== undefined && row.seen_at === null,
      };
    }),
  };
}

export async function noteSeen(
  { database, clock }: Deps,
  { user }: Viewer,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await markSeen(database.db, user.id, ids, clock.now());
}
