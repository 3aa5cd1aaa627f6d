import { baseline } from '../baseline/baseline.ts';
import { sandboxLikeACompany } from './0002-sandbox-like-a-company.ts';
import { paymentIssues } from './0003-payment-issues.ts';
import { keptSubscriptions } from './0004-kept-subscriptions.ts';
import { taxInvoices } from './0005-tax-invoices.ts';
import { legal } from './0006-legal.ts';
import { priceChanges } from './0007-price-changes.ts';
import { refundRequests } from './0008-refund-requests.ts';
import { catalogueVersion } from './0009-catalogue-version.ts';
import { playVersion } from './0010-play-version.ts';
import { emailAddresses } from './0011-email-addresses.ts';
import { signingIn } from './0012-signing-in.ts';
import { fairLimits } from './0013-fair-limits.ts';
import { fairChart } from './0014-fair-chart.ts';
import { jobsAndParts } from './0016-jobs-and-parts.ts';
import { podcastFeeds } from './0017-podcast-feeds.ts';
import { musicApps } from './0018-music-apps.ts';
import { artists } from './0019-artists.ts';
import { scrobblingAndNotices } from './0020-scrobbling-and-notices.ts';
import { memberImports } from './0021-member-imports.ts';
import type { Migration } from './migration.ts';

/** In the order they run. A new one goes to the end. */
export const migrations: readonly Migration[] = [
  baseline,
  sandboxLikeACompany,
  paymentIssues,
  keptSubscriptions,
  taxInvoices,
  legal,
  priceChanges,
  refundRequests,
  catalogueVersion,
  playVersion,
  emailAddresses,
  signingIn,
  fairLimits,
  fairChart,
  jobsAndParts,
  podcastFeeds,
  musicApps,
  artists,
  scrobblingAndNotices,
  memberImports,
];
