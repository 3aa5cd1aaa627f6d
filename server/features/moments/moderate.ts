import type { AdminMoment, MomentAuthor, MomentBan, MomentTrack } from '#contract/admin/moments.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import { isStaff } from '#contract/rules/access.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { recordAction } from '../audit/service.ts';
import {
  findAuthor,
  findMoment,
  findNamed,
  findTrack,
  listForAdmins,
  setBan,
  setHidden,
  setTrackMoments,
  type AdminRow,
} from './queries.ts';

type AuthorRow = NonNullable<Awaited<ReturnType<typeof findAuthor>>>;
type TrackRow = NonNullable<Awaited<ReturnType<typeof findTrack>>>;

const presentAuthor = (row: AuthorRow): MomentAuthor => ({
  id: row.id,
  username: row.username,
  ban: row.moment_ban,
  isDisabled: Boolean(row.is_disabled),
  isStaff: isStaff(row),
});

const presentTrack = (row: TrackRow): MomentTrack => ({
  id: row.id,
  title: row.title,
  weekNumber: row.week,
  year: row.year,
  isOff: row.has_moments === 0,
});

const presentMoment = (row: AdminRow): AdminMoment => ({
  id: row.id,
  at: row.second,
  text: row.text,
  createdAt: row.created_at,
  isHidden: row.hidden_at !== null,
  isDeleted: row.text === '',
  author: presentAuthor({ ...row, id: row.user_id }),
  track: presentTrack({ ...row, id: row.track_id }),
});

type Filter = { q?: string | undefined; user?: string | undefined; track?: string | undefined };

export async function listAllMoments(
  { database: { db } }: Deps,
  { q, user, track, ...page }: PageQuery & Filter,
): Promise<Page<AdminMoment>> {
  const found = q ? await findNamed(db, q) : undefined;
  const { rows, nextCursor } = await listForAdmins(db, { found, user, track }, page);
  return { items: rows.map(presentMoment), nextCursor };
}

export async function hideMoment(
  { database, clock }: Deps,
  viewer: Viewer,
  id: string,
  isHidden: boolean,
): Promise<void> {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const row = await findMoment(tx, id);
    if (!row) throw new AppError('not_found');
    if (!(await setHidden(tx, id, isHidden ? now : null))) return;
    const track = await findTrack(tx, row.track_id);
    await recordAction(
      tx,
      {
        actor: viewer,
        action: isHidden ? 'moment.hidden' : 'moment.shown',
        subject: { kind: 'user', id: row.user_id },
        // Its text goes with the account, and entries stay.
        after: { title: track?.title ?? null, at: formatDuration(row.second) },
      },
      now,
    );
  });
}

async function getAuthor({ database }: Pick<Deps, 'database'>, id: string): Promise<AuthorRow> {
  const row = await findAuthor(database.db, id);
  if (!row) throw new AppError('not_found');
  return row;
}

export const readAuthor = async (deps: Deps, id: string): Promise<MomentAuthor> =>
  presentAuthor(await getAuthor(deps, id));

export async function banAuthor(
  deps: Deps,
  viewer: Viewer,
  id: string,
  ban: MomentBan,
): Promise<MomentAuthor> {
  const { database, clock } = deps;
  const before = await getAuthor(deps, id);
  if (isStaff(before))
    throw new AppError('forbidden', { message: 'Administrators and helpers can’t be banned.' });
  if (before.moment_ban === ban) return presentAuthor(before);
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    await setBan(tx, id, ban);
    const words = { writing: 'writing', lines: 'writing and old lines' } as const;
    const toWords = (value: MomentBan) => (value === null ? null : words[value]);
    await recordAction(
      tx,
      {
        actor: viewer,
        action: ban === null ? 'moments.unbanned' : 'moments.banned',
        subject: { kind: 'user', id },
        before: { ban: toWords(before.moment_ban) },
        after: { ban: toWords(ban) },
      },
      now,
    );
  });
  return readAuthor(deps, id);
}

export async function readTrack({ database }: Deps, id: string): Promise<MomentTrack> {
  const row = await findTrack(database.db, id);
  if (!row) throw new AppError('not_found');
  return presentTrack(row);
}

export async function turnOff(
  deps: Deps,
  viewer: Viewer,
  id: string,
  isOff: boolean,
): Promise<MomentTrack> {
  const { database, clock } = deps;
  const before = await readTrack(deps, id);
  if (before.isOff === isOff) return before;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    await setTrackMoments(tx, id, isOff ? 0 : 1);
    await recordAction(
      tx,
      {
        actor: viewer,
        action: isOff ? 'moments.turned-off' : 'moments.turned-on',
        subject: { kind: 'track', id },
      },
      now,
    );
  });
  return { ...before, isOff };
}
