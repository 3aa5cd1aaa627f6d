import type { Db, DialectName } from '../../db/connect.ts';
import type { Visibility } from '../tracks/service.ts';
import { postgresIndex } from './postgres-index.ts';
import type { Tier } from './query-plan.ts';
import { sqliteIndex } from './sqlite-index.ts';

export type MatchedTrack = { row_order: number; track_id: string };

type MatchPage = { visibility: Visibility; after: number; limit: number };

/** The one part of the server that differs between the databases. */
export type SearchIndex = {
  /** The tracks of a tier that a viewer may see, newest week first. */
  findMatches: (db: Db, tier: Tier, page: MatchPage) => Promise<MatchedTrack[]>;
  /** Adds the document to the full-text index; deleting its row removes it. */
  putDocument: (tx: Db, rowOrder: number, document: string) => Promise<void>;
  /** Merges what many small writes left behind, a little at a time. */
  compact: (db: Db, signal: AbortSignal) => Promise<void>;
  /** Lets only one transaction change the index at a time. */
  lock: (tx: Db) => Promise<void>;
};

export const searchIndexFor = (dialect: DialectName): SearchIndex =>
  dialect === 'sqlite' ? sqliteIndex : postgresIndex;
