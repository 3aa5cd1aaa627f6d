import type { Migration, MigrationSteps } from './migration.ts';

/** Most starts have nothing to migrate. */
const loadLater = (name: string, load: () => Promise<MigrationSteps>): Migration => ({
  name,
  up: async (tx, dialect) => (await load()).up(tx, dialect),
});

/** In the order they run. A new one goes to the end. */
export const migrations: readonly Migration[] = [
  loadLater('0001-baseline', async () => (await import('../baseline.ts')).baseline),
  loadLater(
    '0002-sandbox-like-a-company',
    async () => (await import('./0002-sandbox-like-a-company.ts')).sandboxLikeACompany,
  ),
  loadLater(
    '0003-payment-issues',
    async () => (await import('./0003-payment-issues.ts')).paymentIssues,
  ),
  loadLater(
    '0004-kept-subscriptions',
    async () => (await import('./0004-kept-subscriptions.ts')).keptSubscriptions,
  ),
  loadLater('0005-tax-invoices', async () => (await import('./0005-tax-invoices.ts')).taxInvoices),
  loadLater('0006-legal', async () => (await import('./0006-legal.ts')).legal),
  loadLater(
    '0007-price-changes',
    async () => (await import('./0007-price-changes.ts')).priceChanges,
  ),
  loadLater(
    '0008-refund-requests',
    async () => (await import('./0008-refund-requests.ts')).refundRequests,
  ),
  loadLater(
    '0009-catalogue-version',
    async () => (await import('./0009-catalogue-version.ts')).catalogueVersion,
  ),
  loadLater('0010-play-version', async () => (await import('./0010-play-version.ts')).playVersion),
  loadLater(
    '0011-email-addresses',
    async () => (await import('./0011-email-addresses.ts')).emailAddresses,
  ),
  loadLater('0012-signing-in', async () => (await import('./0012-signing-in.ts')).signingIn),
  loadLater('0013-fair-limits', async () => (await import('./0013-fair-limits.ts')).fairLimits),
  loadLater('0014-fair-chart', async () => (await import('./0014-fair-chart.ts')).fairChart),
  loadLater(
    '0016-jobs-and-parts',
    async () => (await import('./0016-jobs-and-parts.ts')).jobsAndParts,
  ),
  loadLater(
    '0017-podcast-feeds',
    async () => (await import('./0017-podcast-feeds.ts')).podcastFeeds,
  ),
  loadLater('0018-music-apps', async () => (await import('./0018-music-apps.ts')).musicApps),
  loadLater('0019-artists', async () => (await import('./0019-artists.ts')).artists),
  loadLater(
    '0020-scrobbling-and-notices',
    async () => (await import('./0020-scrobbling-and-notices.ts')).scrobblingAndNotices,
  ),
  loadLater(
    '0021-member-imports',
    async () => (await import('./0021-member-imports.ts')).memberImports,
  ),
  loadLater('0022-clock-mark', async () => (await import('./0022-clock-mark.ts')).clockMark),
  loadLater(
    '0023-devices-without-session',
    async () => (await import('./0023-devices-without-session.ts')).devicesWithoutSession,
  ),
  loadLater(
    '0024-username-looks',
    async () => (await import('./0024-username-looks.ts')).usernameLooks,
  ),
  loadLater('0025-admin-grace', async () => (await import('./0025-admin-grace.ts')).adminGrace),
  loadLater(
    '0026-session-proof',
    async () => (await import('./0026-session-proof.ts')).sessionProof,
  ),
  loadLater('0027-books', async () => (await import('./0027-books.ts')).books),
  loadLater(
    '0028-own-subscriptions',
    async () => (await import('./0028-own-subscriptions.ts')).ownSubscriptions,
  ),
  loadLater(
    '0029-sandbox-payments',
    async () => (await import('./0029-sandbox-payments.ts')).sandboxPayments,
  ),
  loadLater('0030-bought-gifts', async () => (await import('./0030-bought-gifts.ts')).boughtGifts),
  loadLater('0031-coming-over', async () => (await import('./0031-coming-over.ts')).comingOver),
  loadLater('0032-one-way-back', async () => (await import('./0032-one-way-back.ts')).oneWayBack),
];
