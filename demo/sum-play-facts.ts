import { addPlay, NO_PLAYS, type PlayFacts } from '#contract/rules/achievements.ts';
import type { PlayFactsTable, PlaysTable } from '#server/db/listening-tables.ts';
import { toPlayFactsRow } from '#server/features/achievements/service.ts';
import type { DemoTrack } from './catalogue/demo-catalogue.ts';

/** What is remembered of each listener's counted plays, as these plays would have left it. */
export function sumPlayFacts(
  plays: readonly PlaysTable[],
  catalogue: readonly DemoTrack[],
  timeZone: string,
): PlayFactsTable[] {
  const released = new Map(catalogue.map((mix) => [mix.id, mix.publishedAt]));
  const facts = new Map<string, PlayFacts>();
  for (const { user_id, track_id, listened_at, is_counted } of plays) {
    if (!user_id || !is_counted) continue;
    const play = { at: listened_at, publishedAt: released.get(track_id) ?? null, timeZone };
    facts.set(user_id, addPlay(facts.get(user_id) ?? NO_PLAYS, play));
  }
  return [...facts].map(([userId, sum]) => toPlayFactsRow(userId, sum));
}
