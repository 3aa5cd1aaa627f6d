import { accountsAndJobs } from './0001-accounts-and-jobs.ts';
import { tracksAndPlays } from './0002-tracks-and-plays.ts';
import { favorites } from './0003-favorites.ts';
import { listening } from './0004-listening.ts';
import { search } from './0005-search.ts';
import { charts } from './0006-charts.ts';
import { playlists } from './0007-playlists.ts';
import { downloads } from './0008-downloads.ts';
import { accountPreferences } from './0009-account-preferences.ts';
import { achievements } from './0010-achievements.ts';
import { events } from './0011-events.ts';
import { library } from './0012-library.ts';
import { sandboxPayments } from './0013-sandbox-payments.ts';
import { billing } from './0014-billing.ts';
import { uploads } from './0015-uploads.ts';
import { live } from './0016-live.ts';
import { reports } from './0017-reports.ts';
import { operations } from './0018-operations.ts';
import { planChanges } from './0019-plan-changes.ts';
import { leftBenefits } from './0020-left-benefits.ts';
import { figureLists } from './0021-figure-lists.ts';
import { listenerLists } from './0022-listener-lists.ts';
import type { Migration } from './migration.ts';

/** In the order they run. A new one goes to the end. */
export const migrations: readonly Migration[] = [
  accountsAndJobs,
  tracksAndPlays,
  favorites,
  listening,
  search,
  charts,
  playlists,
  downloads,
  accountPreferences,
  achievements,
  events,
  library,
  sandboxPayments,
  billing,
  uploads,
  live,
  reports,
  operations,
  planChanges,
  leftBenefits,
  figureLists,
  listenerLists,
];
