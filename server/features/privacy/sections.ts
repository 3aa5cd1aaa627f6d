import type { Db, DialectName, Tx } from '../../db/connect.ts';
import { exportAccount, exportSessions } from '../accounts/service.ts';
import { exportAchievements } from '../achievements/service.ts';
import { exportBilling, forgetBilling } from '../billing/service.ts';
import { exportDownloads } from '../downloads/service.ts';
import { exportEvents, forgetPerson } from '../analytics/service.ts';
import { exportFavorites } from '../favorites/service.ts';
import { exportListening } from '../listening/service.ts';
import { exportPlaylists } from '../playlists/service.ts';
import { exportPlays, forgetListener } from '../plays/service.ts';
import { exportPreferences } from '../preferences/service.ts';

/** One kind of personal data: a feature that keeps some has one line in the list below. */
export type Section = {
  /** The archive has `<name>.json`. */
  name: string;
  read: (db: Db, userId: string) => AsyncIterable<object>;
  /** What is left to do when the member leaves; rows that refer to the member go by themselves. */
  forget?: (tx: Tx, dialect: DialectName, userId: string, now: number) => Promise<void>;
};

export const sections: readonly Section[] = [
  { name: 'account', read: exportAccount },
  { name: 'preferences', read: exportPreferences },
  { name: 'sessions', read: exportSessions },
  { name: 'favorites', read: exportFavorites },
  { name: 'listening', read: exportListening },
  { name: 'plays', read: exportPlays, forget: forgetListener },
  { name: 'playlists', read: exportPlaylists },
  { name: 'downloads', read: exportDownloads },
  { name: 'billing', read: exportBilling, forget: forgetBilling },
  { name: 'achievements', read: exportAchievements },
  { name: 'events', read: exportEvents, forget: (tx, _dialect, id) => forgetPerson(tx, id) },
];
