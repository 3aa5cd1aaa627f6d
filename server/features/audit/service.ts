import { z } from 'zod';
import type { AuditEntry } from '#contract/audit.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Deps } from '../../deps.ts';
import { listActs, type ActRow, type AuditFilter } from './queries.ts';

export { recordAct, type Act } from './record-act.ts';

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
  { cursor, limit, ...filter }: PageQuery & AuditFilter,
): Promise<{ items: AuditEntry[]; nextCursor: string | null }> {
  const { rows, nextCursor } = await listActs(database.db, filter, { cursor, limit });
  return { items: rows.map(presentAct), nextCursor };
}
