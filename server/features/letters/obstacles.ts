import type { LetterReach } from '#contract/admin/letters.ts';
import type { LetterAudience } from '#contract/letters.ts';
import type { LettersTable } from '../../db/types/letter-tables.ts';
import type { Deps } from '../../deps.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import type { MailedTrack } from '../releases/service.ts';
import { loadUnreleased, openCatalogue } from '../tracks/service.ts';
import { countReaders } from './queries.ts';

/** The mix of a letter for whoever writes it, also before its release. */
export async function findTrack(deps: Deps, id: string | null): Promise<MailedTrack | null> {
  if (id === null) return null;
  const [published] = await (await openCatalogue(deps, null)).readAny([id]);
  return published ?? (await loadUnreleased(deps.database.db, id)) ?? null;
}

export const deliveryOf = ({ config }: Deps): LetterReach['delivery'] =>
  config.smtp ? 'smtp' : config.demo ? 'outbox' : 'none';

export async function countAudiences(deps: Deps): Promise<Record<LetterAudience, number>> {
  const { grace_ms: graceMs } = await readAccessPolicy(deps);
  return countReaders(deps.database.db, deps.clock.now() - graceMs);
}

const NOBODY: Record<LetterAudience, string> = {
  everyone: 'Nobody would get this letter: no member has turned on “Product news” yet.',
  premium: 'Nobody would get this letter: no Premium member has turned on “Product news” yet.',
  free: 'Nobody would get this letter: no free member has turned on “Product news” yet.',
  lapsed:
    'Nobody would get this letter: nobody whose Premium has ended has “Product news” turned on.',
};

/** Why a letter that is written can't go out then. */
export async function findObstacle(
  deps: Deps,
  row: LettersTable,
  at: number,
): Promise<string | null> {
  if (deliveryOf(deps) === 'none')
    return 'This site has no mail server yet, so nothing would arrive. See the settings.';
  if ((await countAudiences(deps))[row.audience] === 0) return NOBODY[row.audience];
  if (row.track_id === null) return null;
  const track = (await findTrack(deps, row.track_id))?.row;
  if (track?.status !== 'ready' || track.publish_at === null || track.publish_at > at)
    return 'The mix in this letter isn’t out at that time. Choose another one or a later time.';
  if (track.is_subscriber_only && row.audience !== 'premium')
    return 'The mix in this letter is for Premium members only. Write to them, or leave it out.';
  return null;
}
