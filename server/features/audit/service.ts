import { z } from 'zod';
import type { AuditEntry } from '#contract/audit.ts';
import { DEFAULT_PAGE_SIZE, type PageQuery } from '#contract/paging.ts';
import type { Deps } from '../../deps.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { listActs, type ActRow, type AuditFilter } from './queries.ts';

export { recordAct, type Act } from './record-act.ts';

const Position = z.string().regex(/^[\w-]{1,64}$/);
const Facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const readFacts = (text: string | null): z.output<typeof Facts> =>
  text === null ? {} : Facts.parse(JSON.parse(text));

function listChanges(row: ActRow): AuditEntry['changes'] {
  const before = readFacts(row.before);
  const after = readFacts(row.after);
  const say = (value: string | number | boolean | null | undefined) =>
    value === undefined || value === null ? null : String(value);
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].map((field) => ({
    field,
    before: say(before[field]),
    after: say(after[field]),
  }));
}

const presentAct = (row: ActRow): AuditEntry => ({
  id: row.id,
  at: row.at,
  actor: { id: row.actor_id, name: row.actor_name },
  via: row.via,
  act: row.act,
  subject: {
    kind: row.subject_kind,
    id: row.subject_id,
    name: row.subject_name ?? row.track_title,
  },
  changes: listChanges(row),
  because: row.because,
  requestId: row.request_id,
});

export async function readAudit(
  { database }: Deps,
  { cursor, limit = DEFAULT_PAGE_SIZE, ...filter }: PageQuery & AuditFilter,
): Promise<{ items: AuditEntry[]; nextCursor: string | null }> {
  const before = cursor ? decodeCursor(Position, cursor) : null;
  const rows = await listActs(database.db, filter, { before, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map((row) => presentAct(row)),
    nextCursor: last ? encodeCursor(last.id) : null,
  };
}
