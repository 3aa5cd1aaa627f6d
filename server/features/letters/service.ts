import type {
  AdminLetter,
  LetterContent,
  LetterItem,
  LetterReach,
  LetterValues,
} from '#contract/admin/letters.ts';
import { LETTER_AUDIENCES } from '#contract/letters.ts';
import { lookImagePath, parseLookImage } from '#contract/look.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import { findBulkInterval } from '#contract/rules/mail-pace.ts';
import { DAY } from '#contract/rules/time.ts';
import { buildLetter } from '../../db/build-rows.ts';
import { newId } from '../../db/ids.ts';
import { readSettings } from '../../db/settings.ts';
import type { Tx } from '../../db/connect.ts';
import type { LettersTable } from '../../db/types/letter-tables.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { estimateBulkMail } from '../../jobs/bulk-mail.ts';
import { enqueue } from '../../jobs/queue.ts';
import { recordAction, type AuditedAction } from '../audit/service.ts';
import { publishSignal } from '../live/service.ts';
import { sendNow } from '../mails/service.ts';
import { buildUnsubscribeUrl } from '../preferences/service.ts';
import { startLetter, toContent } from './jobs.ts';
import { prepareLetter, writeLetter } from './letter-mail.ts';
import { planDeletion } from './pictures.ts';
import { countAudiences, deliveryOf, findObstacle, findTrack } from './obstacles.ts';
import {
  changeLetter,
  countReturned,
  countWaiting,
  deleteDraft,
  findLetter,
  insertLetter,
  listLetters,
} from './queries.ts';

export { countRefused, countUnsubscribed, exportLetterMails, leaveOutMember } from './queries.ts';
export { findLetterHead, listLetterPaths } from './public-letters.ts';

const presentItem = (row: LettersTable, returned: ReadonlyMap<string, number>): LetterItem => ({
  id: row.id,
  state: row.state,
  subject: row.subject,
  audience: row.audience,
  page: row.page,
  updatedAt: row.updated_at,
  sendAt: row.send_at,
  refusal: row.refusal,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  counts: {
    waiting: row.waiting,
    sent: row.sent - (returned.get(row.id) ?? 0),
    returned: row.refused + (returned.get(row.id) ?? 0),
    failed: row.failed,
    leftOut: row.left_out,
    unsubscribed: row.unsubscribed,
  },
});

export async function getLetters({ database }: Deps, page: PageQuery): Promise<Page<LetterItem>> {
  const { rows, nextCursor } = await listLetters(database.db, page);
  const returned = await countReturned(
    database.db,
    rows.map(({ id }) => id),
  );
  return { items: rows.map((row) => presentItem(row, returned)), nextCursor };
}

async function present(deps: Deps, row: LettersTable): Promise<AdminLetter> {
  const { db } = deps.database;
  const { mailsPerHour } = await readSettings(db, deps.clock.now());
  const [track, image] = [await findTrack(deps, row.track_id), parseLookImage(row.picture)];
  const interval = findBulkInterval(mailsPerHour);
  return {
    ...presentItem(row, await countReturned(db, [row.id])),
    ...toContent(row),
    version: row.version,
    picturePath: image && lookImagePath(image, 'small'),
    track: track && {
      id: track.row.id,
      title: track.row.title,
      weekNumber: track.row.week,
      year: track.row.year,
    },
    estimateMs: interval === 0 ? null : row.waiting * interval,
  };
}

async function get({ database }: Deps, id: string): Promise<LettersTable> {
  const row = await findLetter(database.db, id);
  if (!row) throw new AppError('not_found');
  return row;
}

export const getLetter = async (deps: Deps, id: string): Promise<AdminLetter> =>
  present(deps, await get(deps, id));

type Noted = Pick<AuditedAction, 'action' | 'before' | 'after'>;

/** In the transaction of the change. The subject names it, because drafts are deleted. */
async function note(
  tx: Tx,
  viewer: Viewer,
  { id, subject }: Pick<LettersTable, 'id' | 'subject'>,
  { action, before, after }: Noted,
  now: number,
): Promise<void> {
  await publishSignal(tx, 'admin:letters', now);
  await recordAction(
    tx,
    {
      actor: viewer,
      action,
      subject: { kind: 'letter', id },
      ...(before && { before }),
      after: { subject, ...after },
    },
    now,
  );
}

export async function createLetter(deps: Deps, viewer: Viewer): Promise<AdminLetter> {
  const { clock, database } = deps;
  const now = clock.now();
  const row = buildLetter({ id: newId(now), created_at: now });
  await database.db.transaction().execute(async (tx) => {
    await insertLetter(tx, row);
    await note(tx, viewer, row, { action: 'letter.created' }, now);
  });
  return present(deps, row);
}

const PLANNED = 'This letter is planned. Cancel its time first, then change it.';

function assertVersion(row: LettersTable, version: number): void {
  if (row.version !== version) throw new AppError('letter_changed');
}

type Change = { version: number } & {
  [Name in keyof LetterValues]?: LetterValues[Name] | undefined;
};

/** What is out stays as it was sent; only its page can come and go. */
function assertChangeable({ state }: LettersTable, change: Change): void {
  if (state === 'draft') return;
  if (state === 'planned') throw new AppError('letter_locked', { message: PLANNED });
  const { version: _version, page: _page, ...others } = change;
  if (Object.values(others).some((value) => value !== undefined))
    throw new AppError('letter_locked');
}

export async function saveLetter(
  deps: Deps,
  viewer: Viewer,
  id: string,
  change: Change,
): Promise<AdminLetter> {
  const { clock, database } = deps;
  const now = clock.now();
  const before = await get(deps, id);
  // Whoever sends it says more than the version that this changed.
  assertChangeable(before, change);
  assertVersion(before, change.version);
  const { version: _version, trackId, pictureText, ...same } = change;
  const track = trackId === undefined ? undefined : trackId;
  if (track && !(await findTrack(deps, track)))
    throw new AppError('validation_failed', { fields: { trackId: 'Choose a mix that exists.' } });
  const columns = {
    ...Object.fromEntries(Object.entries(same).filter(([, value]) => value !== undefined)),
    ...(track !== undefined && { track_id: track }),
    ...(pictureText !== undefined && { picture_text: pictureText }),
  } as Partial<LettersTable>;
  const saved = await database.db.transaction().execute(async (tx) => {
    const row = await changeLetter(tx, before, { ...columns, refusal: null, updated_at: now });
    if (!row) throw new AppError('letter_changed');
    if (before.picture !== null && row.picture !== before.picture)
      await planDeletion(tx, before.picture, now);
    if (before.state !== 'draft')
      await note(
        tx,
        viewer,
        row,
        {
          action: 'letter.page-changed',
          before: { page: before.page },
          after: { page: row.page },
        },
        now,
      );
    return row;
  });
  return present(deps, saved);
}

export async function deleteLetter(deps: Deps, viewer: Viewer, id: string): Promise<void> {
  const { clock, database } = deps;
  const row = await get(deps, id);
  if (row.state !== 'draft')
    throw new AppError('letter_locked', row.state === 'planned' ? { message: PLANNED } : {});
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const deleted = await deleteDraft(row, tx);
    if (!deleted) throw new AppError('letter_changed');
    if (deleted.picture !== null) await planDeletion(tx, deleted.picture, now);
    await note(tx, viewer, row, { action: 'letter.deleted' }, now);
  });
}

export async function getReach(deps: Deps): Promise<LetterReach> {
  const { db } = deps.database;
  const { mailsPerHour } = await readSettings(db, deps.clock.now());
  const [counts, before] = [await countAudiences(deps), await countWaiting(db)];
  const audiences = await Promise.all(
    LETTER_AUDIENCES.map(async (audience) => ({
      audience,
      members: counts[audience],
      estimateMs: await estimateBulkMail(deps, before + counts[audience]),
    })),
  );
  return { audiences, mailsPerHour, delivery: deliveryOf(deps) };
}

function assertWritten({ subject, body }: LettersTable): void {
  const fields = {
    ...(subject === '' && { subject: 'Enter a subject.' }),
    ...(body === '' && { body: 'Write the letter.' }),
  };
  if (Object.keys(fields).length > 0) throw new AppError('validation_failed', { fields });
}

const LONGEST_PLAN_MS = 366 * DAY;

export async function sendLetter(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { version, at }: { version: number; at: number | null },
): Promise<AdminLetter> {
  const { clock, database, jobs } = deps;
  const now = clock.now();
  const before = await get(deps, id);
  if (before.state !== 'draft') throw new AppError('letter_locked');
  assertVersion(before, version);
  if (at !== null && (at <= now || at > now + LONGEST_PLAN_MS))
    throw new AppError('validation_failed', {
      fields: { at: 'Choose a time in the future, within a year.' },
    });
  assertWritten(before);
  const obstacle = await findObstacle(deps, before, at ?? now);
  if (obstacle !== null) throw new AppError('letter_refused', { message: obstacle });
  const saved = await database.db.transaction().execute(async (tx) => {
    const change =
      at === null
        ? { state: 'sending' as const, started_at: now, refusal: null }
        : { state: 'planned' as const, send_at: at, refusal: null };
    const row = await changeLetter(tx, before, change);
    if (!row) throw new AppError('letter_changed');
    const { audience } = row;
    await note(
      tx,
      viewer,
      row,
      at === null
        ? { action: 'letter.sent', after: { audience } }
        : {
            action: 'letter.planned',
            after: { audience, sendAt: new Date(at).toISOString() },
          },
      now,
    );
    if (at === null) await enqueue(tx, startLetter, { id }, { now });
    return row;
  });
  jobs.wake();
  return present(deps, saved);
}

type Step = { from: LettersTable['state']; to: Partial<LettersTable>; action: string };

const STOPS: readonly Step[] = [
  { from: 'planned', to: { state: 'draft', send_at: null }, action: 'letter.cancelled' },
  { from: 'sending', to: { state: 'stopped' }, action: 'letter.stopped' },
];
const GO_ON: readonly Step[] = [
  { from: 'stopped', to: { state: 'sending' }, action: 'letter.resumed' },
];

/** Looks again if the letter changed meanwhile: one that is due starts by itself. */
async function takeStep(
  deps: Deps,
  viewer: Viewer,
  { id, steps, refusal }: { id: string; steps: readonly Step[]; refusal: string },
): Promise<AdminLetter> {
  const { clock, database, jobs } = deps;
  const now = clock.now();
  const before = await get(deps, id);
  const step = steps.find(({ from }) => from === before.state);
  if (!step) throw new AppError('letter_locked', { message: refusal });
  const saved = await database.db.transaction().execute(async (tx) => {
    const row = await changeLetter(tx, before, step.to);
    if (!row) return null;
    await note(tx, viewer, row, { action: step.action }, now);
    if (row.state === 'sending') await enqueue(tx, startLetter, { id }, { now });
    return row;
  });
  if (!saved) return takeStep(deps, viewer, { id, steps, refusal });
  jobs.wake();
  return present(deps, saved);
}

export const stopLetter = (deps: Deps, viewer: Viewer, id: string): Promise<AdminLetter> =>
  takeStep(deps, viewer, {
    id,
    steps: STOPS,
    refusal: 'This letter isn’t on its way, so there’s nothing to stop.',
  });

export const resumeLetter = (deps: Deps, viewer: Viewer, id: string): Promise<AdminLetter> =>
  takeStep(deps, viewer, { id, steps: GO_ON, refusal: 'This letter isn’t stopped.' });

async function writeSample(deps: Deps, { user }: Viewer, content: LetterContent) {
  return writeLetter(await prepareLetter(deps, content), {
    to: user.email,
    username: user.username,
    unsubscribeUrl: await buildUnsubscribeUrl(deps, { userId: user.id, kind: 'news' }),
    track: await findTrack(deps, content.trackId),
    pageId: null,
  });
}

/** A mail without a subject isn't one. */
const orExample = (content: LetterContent): LetterContent => ({
  ...content,
  subject: content.subject || '(no subject yet)',
});

export async function previewLetter(deps: Deps, viewer: Viewer, content: LetterContent) {
  const { subject, html, text } = await writeSample(deps, viewer, orExample(content));
  return { from: deps.config.smtp?.from ?? null, subject, html, text };
}

export const testLetter = async (deps: Deps, viewer: Viewer, content: LetterContent) =>
  sendNow(deps, await writeSample(deps, viewer, orExample(content)));
