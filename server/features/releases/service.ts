import type { Recipients } from '#contract/admin/week.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import { buildTrack } from '../../db/build-rows.ts';
import type { Deps } from '../../deps.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import type { MailSite } from '../mails/service.ts';
import { buildUnsubscribeUrl } from '../preferences/service.ts';
import { loadUnreleased, openCatalogue } from '../tracks/service.ts';
import { countDevices, countMailSubscribers, countTold, findNextOrNewest } from './queries.ts';
import { writeReleaseMail, type MailedTrack } from './release-mail.ts';

export { presentMailTrack, type MailedTrack } from './release-mail.ts';

/** The mail about this mix as a member with full access gets it; about the next one without an id. */
export async function previewReleaseMail(
  deps: Deps,
  site: MailSite,
  { viewer: { user }, trackId }: { viewer: Viewer; trackId: string | undefined },
): Promise<MailMessage> {
  return writeReleaseMail(site, await findTrack(deps, trackId), {
    to: user.email,
    username: user.username,
    hasFullAccess: true,
    unsubscribeUrl: await buildUnsubscribeUrl(deps, { userId: user.id, kind: 'releases' }),
  });
}

async function findTrack(deps: Deps, trackId: string | undefined): Promise<MailedTrack> {
  const { database, clock } = deps;
  const id = trackId ?? (await findNextOrNewest(database.db, clock.now()));
  if (id === undefined) return buildExample(deps);
  const [published] = await (await openCatalogue(deps, null)).readAny([id]);
  const track = published ?? (await loadUnreleased(database.db, id));
  if (!track) throw new AppError('not_found');
  return track;
}

/** For a site without a mix. */
function buildExample({ clock, config }: Deps): MailedTrack {
  const now = clock.now();
  const row = buildTrack({
    id: 'example',
    title: 'Your first mix',
    ...weekOf(now, config.timeZone),
    description: 'The first paragraph of its description.',
    duration_ms: 3_600_000,
    created_at: now,
  });
  const chapters = [{ at: 0, title: 'The first track', artist: 'Its artist' }];
  return { row, artists: [], detail: { chapters, sizes: {} } };
}

/** Who gets an e-mail about a new mix. */
export async function countReaders({ database }: Deps): Promise<number> {
  const { all } = await countMailSubscribers(database.db, { trackId: '', now: 0, paidAfter: 0 });
  return all;
}

/** Whom this track would reach now, by the rules of `announceReleases`. */
export async function countRecipients(deps: Deps, trackId: string): Promise<Recipients> {
  const { config, database, clock } = deps;
  const now = clock.now();
  const { grace_ms: graceMs } = await readAccessPolicy(deps);
  const at = { trackId, now, paidAfter: now - graceMs };
  const [mails, devices, told] = [
    await countMailSubscribers(database.db, at),
    await countDevices(database.db, at),
    await countTold(database.db, trackId),
  ];
  return {
    mails,
    devices,
    told,
    delivery: config.smtp ? 'smtp' : config.demo ? 'outbox' : 'none',
  };
}
