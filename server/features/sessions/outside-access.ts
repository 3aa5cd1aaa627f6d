import { endAppPasswords } from '../app-passwords/service.ts';
import { endDownloadLinks } from '../downloads/service.ts';
import { deleteFeedOf } from '../podcasts/service.ts';
import { disconnectAll } from '../scrobbling/service.ts';
import type { OutsideAccess } from './service.ts';

/**
 * Links first, because that locks the user. What has a session's hash, such as a cast link or a push
 * subscription, ends with the session.
 */
export const outsideAccess: readonly OutsideAccess[] = [
  { name: 'download links', endAccess: endDownloadLinks },
  { name: 'app passwords', table: 'app_passwords', endAccess: endAppPasswords },
  {
    name: 'podcast feed',
    table: 'podcast_feeds',
    // It answers nothing meanwhile, and is the same when the account is enabled again.
    survives: ['account disabled'],
    endAccess: deleteFeedOf,
  },
  {
    name: 'scrobbling',
    table: 'scrobble_accounts',
    // It sends to a server of the owner's, unless somebody else connected theirs.
    survives: ['account disabled', 'other devices logged out'],
    endAccess: disconnectAll,
  },
];
