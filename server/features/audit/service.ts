import { z } from 'zod';
import type { AuditEntry, AUDIT_SUBJECTS } from '#contract/audit.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Deps } from '../../deps.ts';
import { listActs, type ActRow, type AuditFilter, insertAct } from './queries.ts';
import type { Tx } from '../../db/connect.ts';
import type { Viewer } from '../../http/guards.ts';
import { newId } from '../../ids.ts';

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

type Facts = Record<string, string | number | boolean | null>;

export type Act = {
  /** Somebody signed in, who asked for what is done now, or whoever sits at the server's console. */
  actor: Viewer | { userId: string } | 'console' | 'setup';
  /** A verb: `user.disabled`, `settings.changed`. */
  act: string;
  subject: { kind: (typeof AUDIT_SUBJECTS)[number]; id?: string };
  /** Only what changed, and never a name or an address: people leave, and this stays. */
  before?: Facts;
  after?: Facts;
  because?: string;
};

const SECRET = /password|token|secret|hash|e-?mail|username/i;
const MOST = 500;

const shorten = (text: string): string => (text.length <= MOST ? text : `${text.slice(0, MOST)}…`);

function write(facts: Facts | undefined): string | null {
  if (!facts) return null;
  const kept = Object.entries(facts).map(([name, value]) => {
    if (SECRET.test(name)) throw new Error(`The audit log does not take "${name}".`);
    return [name, typeof value === 'string' ? shorten(value) : value];
  });
  return JSON.stringify(Object.fromEntries(kept));
}

function describeActor(actor: Act['actor']) {
  if (typeof actor === 'string') return { actor_id: null, via: actor, request_id: null };
  if ('userId' in actor) return { actor_id: actor.userId, via: 'web' as const, request_id: null };
  return { actor_id: actor.user.id, via: 'web' as const, request_id: actor.requestId ?? null };
}

/** In the transaction of the act itself: neither is there without the other. */
export async function recordAct(tx: Tx, act: Act, now: number): Promise<void> {
  await insertAct(tx, {
    id: newId(now),
    at: now,
    ...describeActor(act.actor),
    act: act.act,
    subject_kind: act.subject.kind,
    subject_id: act.subject.id ?? null,
    before: write(act.before),
    after: write(act.after),
    because: act.because === undefined ? null : shorten(act.because),
  });
}
