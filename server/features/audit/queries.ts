import type { PageQuery } from '#contract/paging.ts';
import type { Db } from '../../db/connect.ts';
import type { AuditLogTable } from '../../db/operations-tables.ts';
import { CursorId, paginate } from '../../http/paginate.ts';

export const insertAuditEntry = (tx: Db, row: AuditLogTable) =>
  tx.insertInto('audit_log').values(row).execute();

export type AuditFilter = {
  kind?: string | undefined;
  actor?: string | undefined;
  subject?: string | undefined;
};

/** Newest first, with the current names of users and tracks. */
export const listAuditEntries = (db: Db, { kind, actor, subject }: AuditFilter, page: PageQuery) =>
  paginate(
    db
      .selectFrom('audit_log')
      .leftJoin('users as actors', 'actors.id', 'audit_log.actor_id')
      .leftJoin('users as subjects', 'subjects.id', 'audit_log.subject_id')
      .leftJoin('tracks', 'tracks.id', 'audit_log.subject_id')
      .selectAll('audit_log')
      .select([
        'actors.username as actor_name',
        'subjects.username as subject_name',
        'tracks.title as track_title',
      ])
      .$if(kind !== undefined, (query) => query.where('subject_kind', '=', kind ?? ''))
      .$if(actor !== undefined, (query) => query.where('actor_id', '=', actor ?? ''))
      .$if(subject !== undefined, (query) => query.where('subject_id', '=', subject ?? '')),
    page,
    { orderBy: [['audit_log.id', CursorId]] },
  );

export type AuditRow = Awaited<ReturnType<typeof listAuditEntries>>['rows'][number];
