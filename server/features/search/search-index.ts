import type { Db, DialectName } from '../../db/connect.ts';
import type { Visibility } from '../tracks/service.ts';
import { postgresIndex } from './postgres-index.ts';
import type { Tier } from './query-plan.ts';
import { sqliteIndex } from './sqlite-index.ts';

export type MatchedTrack = {
  place: number;
  track_id: string;
  /** JSON, as the track holds it. */
  chapters: string;
};

export type MatchPage = { visibility: Visibility; after: number; limit: number };

/** The one part of the server that each database does in its own way. */
export type SearchIndex = {
  /** Tracks of a tier that a viewer may see, the newest week first. */
  findMatches: (db: Db, tier: Tier, page: MatchPage) => Promise<MatchedTrack[]>;
  /** Beside the document's row; deleting that row takes this with it. */
  putDocument: (tx: Db, place: number, document: string) => Promise<void>;
  /** Now and then: what many small writes left behind is brought together, a little at a time. */
  tidy: (db: Db, signal: AbortSignal) => Promise<void>;
  /** Whoever changes the index waits for whoever is changing it. */
  lock: (tx: Db) => Promise<void>;
};

export const searchIndexFor = (dialect: DialectName): SearchIndex =>
  dialect === 'sqlite' ? sqliteIndex : postgresIndex;
