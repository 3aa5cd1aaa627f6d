import type { Tx } from '../../db/connect.ts';
import { recordAct, type Act } from '../audit/service.ts';
import type { CatalogueRow } from './queries.ts';

type Facts = NonNullable<Act['before']>;

const sayTime = (at: number | null) => at && new Date(at).toISOString();

/** What people decide of a mix, in words that can be read years later. */
const describe = (mix: CatalogueRow): Facts => ({
  title: mix.title,
  week: mix.week,
  year: mix.year,
  genre: mix.genre,
  description: mix.description,
  tracklist: mix.chapters,
  subscribersOnly: mix.is_subscriber_only === 1,
  previewStart: mix.preview_start_ms === null ? null : mix.preview_start_ms / 1000,
  release: sayTime(mix.publish_at),
  cover: mix.cover_key,
});

function compare(before: CatalogueRow, after: CatalogueRow): { before: Facts; after: Facts } {
  const [was, is] = [describe(before), describe(after)];
  const changed = Object.keys(is).filter((name) => was[name] !== is[name]);
  const pick = (facts: Facts) =>
    Object.fromEntries(changed.map((name) => [name, facts[name] ?? null]));
  return { before: pick(was), after: pick(is) };
}

type Change = { actor: Act['actor']; act: string; now: number };

/** In the transaction of the change: who did what to which mix, and how it was before. */
export const recordChange = (
  tx: Tx,
  { actor, act, now }: Change,
  before: CatalogueRow,
  after: CatalogueRow = before,
): Promise<void> =>
  recordAct(
    tx,
    { actor, act, subject: { kind: 'track', id: after.id }, ...compare(before, after) },
    now,
  );
