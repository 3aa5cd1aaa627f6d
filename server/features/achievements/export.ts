import type { Db } from '../../db/connect.ts';
import { findPlayFacts, listEarned } from './queries.ts';

/** What the member has earned, and the figures it is reckoned from. */
export async function* exportAchievements(db: Db, userId: string) {
  for (const { achievement, earned_at: earnedAt, seen_at: seenAt } of await listEarned(db, userId))
    yield { achievement, earnedAt, seenAt };
  yield { figures: await findPlayFacts(db, userId) };
}
