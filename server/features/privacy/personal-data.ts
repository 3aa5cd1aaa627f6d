import type { Db, DialectName, Tx } from '../../db/connect.ts';
import { exportAccount, exportPasskeys } from '../accounts/service.ts';
import { exportAppPasswords } from '../app-passwords/service.ts';
import { exportAchievements } from '../achievements/service.ts';
import { exportEvents, anonymiseUserEvents } from '../analytics/service.ts';
import { exportBilling, anonymiseBilling } from '../billing/privacy/service.ts';
import { eraseDepartures, exportDepartures } from '../departures/service.ts';
import { exportClips } from '../clips/service.ts';
import { exportDownloads } from '../downloads/service.ts';
import { exportFavorites } from '../favorites/service.ts';
import { anonymiseAuthor, exportAcceptances } from '../legal/service.ts';
import { exportLetterMails, leaveOutMember } from '../letters/service.ts';
import { eraseImportLines, exportImportLines } from '../member-import/service.ts';
import { exportMoments } from '../moments/service.ts';
import { exportPlaylists } from '../playlists/service.ts';
import { exportPlays, anonymiseListener } from '../plays/service.ts';
import { exportFeed } from '../podcasts/service.ts';
import { exportPreferences } from '../preferences/service.ts';
import { exportProgress } from '../progress/service.ts';
import { exportBookmarks, exportPlayQueue } from '../subsonic/service.ts';
import { eraseScrobbling, exportScrobbling } from '../scrobbling/service.ts';
import { exportNotifications } from '../notifications/service.ts';
import { exportSessions } from '../sessions/service.ts';
import { exportSharedYears } from '../years/service.ts';

/** One kind of personal data. Every feature that stores some has a line in the list below. */
type PersonalData = {
  /** The archive has `<name>.json`. */
  name: string;
  /** Mixes that come out for this user after `publishedBy` have no name in it. */
  rows: (db: Db, userId: string, publishedBy: number) => AsyncIterable<object>;
  /** Work beyond the rows that the foreign keys delete with the user. */
  erase?: (tx: Tx, dialect: DialectName, userId: string, now: number) => Promise<void>;
};

export const personalData: readonly PersonalData[] = [
  { name: 'account', rows: exportAccount },
  { name: 'preferences', rows: exportPreferences },
  { name: 'sessions', rows: exportSessions },
  { name: 'passkeys', rows: exportPasskeys },
  { name: 'app-passwords', rows: exportAppPasswords },
  { name: 'favorites', rows: exportFavorites },
  { name: 'moments', rows: exportMoments },
  { name: 'progress', rows: exportProgress },
  { name: 'plays', rows: exportPlays, erase: anonymiseListener },
  { name: 'playlists', rows: exportPlaylists },
  { name: 'bookmarks', rows: exportBookmarks },
  { name: 'play-queue', rows: exportPlayQueue },
  { name: 'clips', rows: exportClips },
  { name: 'downloads', rows: exportDownloads },
  { name: 'podcast-feed', rows: exportFeed },
  {
    name: 'scrobbling',
    rows: exportScrobbling,
    erase: (tx, _dialect, id) => eraseScrobbling(tx, id),
  },
  { name: 'notifications', rows: exportNotifications },
  { name: 'billing', rows: exportBilling, erase: anonymiseBilling },
  {
    name: 'departures',
    rows: exportDepartures,
    erase: (tx, _dialect, id) => eraseDepartures(tx, id),
  },
  {
    name: 'legal',
    rows: exportAcceptances,
    erase: (tx, _dialect, id) => anonymiseAuthor(tx, id),
  },
  {
    name: 'letters',
    rows: exportLetterMails,
    erase: (tx, _dialect, id, now) => leaveOutMember(tx, id, now),
  },
  {
    name: 'imports',
    rows: exportImportLines,
    erase: (tx, _dialect, id) => eraseImportLines(tx, id),
  },
  { name: 'achievements', rows: exportAchievements },
  { name: 'shared-years', rows: exportSharedYears },
  { name: 'events', rows: exportEvents, erase: (tx, _dialect, id) => anonymiseUserEvents(tx, id) },
];
