import { z } from 'zod';
import type { AuditEntry, AUDIT_SUBJECTS } from '#contract/admin/audit.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import type { Deps } from '../../deps.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { CursorId, paginate } from '../../http/route/paginate.ts';
import { newId } from '../../db/ids.ts';

type AuditFilter = {
  kind?: string | undefined;
  actor?: string | undefined;
  subject?: string | undefined;
};

/** Newest first, with the current names of users, tracks, artists and recordings. */
export const listAuditEntries = (db: Db, { kind, actor, subject }: AuditFilter, page: PageQuery) =>
  paginate(
    db
      .selectFrom('audit_log')
      .leftJoin('users as actors', 'actors.id', 'audit_log.actor_id')
      .leftJoin('users as subjects', 'subjects.id', 'audit_log.subject_id')
      .leftJoin('tracks', 'tracks.id', 'audit_log.subject_id')
      .leftJoin('artists', 'artists.id', 'audit_log.subject_id')
      .leftJoin('recordings', 'recordings.id', 'audit_log.subject_id')
      .selectAll('audit_log')
      .select([
        'actors.username as actor_name',
        'subjects.username as subject_name',
        'artists.name as artist_name',
        'recordings.artist as recording_artist',
        'recordings.title as recording_title',
        'tracks.title as track_title',
        'tracks.week as track_week',
        'tracks.deleted_at as track_deleted_at',
      ])
      .$if(kind !== undefined, (query) => query.where('subject_kind', '=', kind ?? ''))
      .$if(actor !== undefined, (query) => query.where('actor_id', '=', actor ?? ''))
      .$if(subject !== undefined, (query) => query.where('subject_id', '=', subject ?? '')),
    page,
    { orderBy: [['audit_log.id', CursorId]] },
  );

type AuditRow = Awaited<ReturnType<typeof listAuditEntries>>['rows'][number];

const Facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

type Facts = z.output<typeof Facts>;

const readFacts = (text: string | null): Facts =>
  text === null ? {} : Facts.parse(JSON.parse(text));

function listChanges(row: AuditRow): AuditEntry['changes'] {
  const before = readFacts(row.before);
  const after = readFacts(row.after);
  const toText = (value: string | number | boolean | null | undefined) =>
    value === undefined || value === null ? null : String(value);
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].map((field) => ({
    field,
    before: toText(before[field]),
    after: toText(after[field]),
  }));
}

const nameRecording = ({ recording_artist: artist, recording_title: title }: AuditRow) =>
  artist !== null && title !== null ? `${artist} - ${title}` : title;

const presentEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.at,
  actor: { id: row.actor_id, name: row.actor_name },
  via: row.via,
  action: row.action,
  subject: {
    kind: row.subject_kind,
    id: row.subject_id,
    name: row.subject_name ?? row.track_title ?? row.artist_name ?? nameRecording(row),
    weekNumber: row.track_week,
    isDeleted: row.track_deleted_at !== null,
  },
  changes: listChanges(row),
  reason: row.reason,
  requestId: row.request_id,
});

export async function readAudit(
  { database }: Deps,
  { cursor, limit, ...filter }: PageQuery & AuditFilter,
): Promise<Page<AuditEntry>> {
  const { rows, nextCursor } = await listAuditEntries(database.db, filter, { cursor, limit });
  return { items: rows.map(presentEntry), nextCursor };
}

export type AuditedAction = {
  /** A logged-in user, the user who started a job, or the server's console. */
  actor: Viewer | { userId: string } | 'console' | 'setup';
  /** A verb: `user.disabled`, `settings.changed`. */
  action: string;
  subject: { kind: (typeof AUDIT_SUBJECTS)[number]; id?: string };
  /** Only what changed, and never a name or an address, because entries outlive accounts. */
  before?: Facts;
  after?: Facts;
  reason?: string;
};

const SECRET = /password|token|secret|hash|e-?mail|username/i;
const MAX_LENGTH = 500;

const shorten = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;

function serialize(facts: Facts | undefined): string | null {
  if (!facts) return null;
  const kept = Object.entries(facts).map(([name, value]) => {
    if (SECRET.test(name)) throw new Error(`The audit log doesn't accept "${name}".`);
    return [name, typeof value === 'string' ? shorten(value) : value];
  });
  return JSON.stringify(Object.fromEntries(kept));
}

function describeActor(actor: AuditedAction['actor']) {
  if (typeof actor === 'string') return { actor_id: null, via: actor, request_id: null };
  if ('userId' in actor) return { actor_id: actor.userId, via: 'web' as const, request_id: null };
  return { actor_id: actor.user.id, via: 'web' as const, request_id: actor.requestId ?? null };
}

/** Call it in the transaction of the action, so that both commit or neither. Returns the entry’s id. */
export async function recordAction(tx: Tx, action: AuditedAction, now: number): Promise<string> {
  const entry = {
    id: newId(now),
    at: now,
    ...describeActor(action.actor),
    action: action.action,
    subject_kind: action.subject.kind,
    subject_id: action.subject.id ?? null,
    before: serialize(action.before),
    after: serialize(action.after),
    reason: action.reason === undefined ? null : shorten(action.reason),
  };
  await tx.insertInto('audit_log').values(entry).execute();
  return entry.id;
}

/** What a job needs to know about the action that started it. */
export async function findAction(db: Db, id: string) {
  const row = await db
    .selectFrom('audit_log')
    .select(['actor_id', 'subject_id', 'after', 'reason'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  const { actor_id: actorId, subject_id: subjectId, reason } = row;
  return { actorId, subjectId, reason, after: readFacts(row.after) };
}
