import { accountRoutes } from './accounts.ts';
import { achievementRoutes } from './achievements.ts';
import { artistAdminRoutes } from './admin/artists.ts';
import { artistRoutes } from './artists/artists.ts';
import { appPasswordRoutes } from './clients/app-passwords.ts';
import { billingAdminRoutes } from './admin/billing.ts';
import { auditRoutes } from './admin/audit.ts';
import { billingRoutes } from './billing.ts';
import { invoiceRoutes } from './paying/invoices.ts';
import { bookRoutes } from './admin/books.ts';
import { catalogueRoutes } from './admin/catalogue.ts';
import { downloadRoutes } from './downloads.ts';
import { fileEndRoutes } from './admin/file-ends.ts';
import { castingRoutes } from './clients/casting.ts';
import { notificationRoutes } from './clients/notifications.ts';
import { scrobblingRoutes } from './clients/scrobbling.ts';
import { clipAdminRoutes } from './admin/clips.ts';
import { clipRoutes } from './clips.ts';
import { chartRoutes } from './charts.ts';
import { analyticsRoutes } from './analytics.ts';
import { favoriteRoutes } from './favorites.ts';
import { historyRoutes } from './history.ts';
import { jobRoutes } from './admin/jobs.ts';
import { legalRoutes } from './legal.ts';
import { letterRoutes } from './letters.ts';
import { letterAdminRoutes } from './admin/letters.ts';
import { liveRoutes } from './live.ts';
import { lookAdminRoutes } from './admin/look.ts';
import { lookRoutes } from './look.ts';
import { memberImportRoutes } from './admin/member-imports.ts';
import { momentAdminRoutes } from './admin/moments.ts';
import { usageRoutes } from './admin/usage.ts';
import { momentRoutes } from './moments.ts';
import { outboxRoutes } from './admin/outbox.ts';
import { paymentIssueRoutes } from './admin/payment-issues.ts';
import { payOnceRoutes } from './paying/pay-once.ts';
import { podcastRoutes } from './clients/podcasts.ts';
import { priceRoutes } from './admin/prices.ts';
import { playlistRoutes } from './playlists.ts';
import { preferenceRoutes } from './preferences.ts';
import { privacyRoutes } from './privacy.ts';
import { recordingRoutes } from './admin/recordings.ts';
import { reportRoutes } from './admin/reports.ts';
import { searchRoutes } from './search.ts';
import { passkeyRoutes, securityRoutes } from './security.ts';
import { mailRoutes } from './admin/mails.ts';
import { settingRoutes } from './admin/settings.ts';
import { sharedLinkRoutes } from './shared-links.ts';
import { subscriberRoutes } from './admin/subscribers.ts';
import { systemRoutes } from './system.ts';
import { trackRoutes } from './tracks.ts';
import { uploadRoutes } from './admin/uploads.ts';
import { usageReportRoutes } from './admin/usage-reports.ts';
import { weekRoutes } from './admin/week.ts';
import { yearRoutes } from './years.ts';

/** Every route of the API. Server, OpenAPI document and typed client all read this table. */
export const api = {
  ...systemRoutes,
  ...accountRoutes,
  ...achievementRoutes,
  ...securityRoutes,
  ...passkeyRoutes,
  ...appPasswordRoutes,
  ...preferenceRoutes,
  ...privacyRoutes,
  ...trackRoutes,
  ...artistRoutes,
  ...favoriteRoutes,
  ...momentRoutes,
  ...usageRoutes,
  ...momentAdminRoutes,
  ...analyticsRoutes,
  ...downloadRoutes,
  ...fileEndRoutes,
  ...castingRoutes,
  ...clipRoutes,
  ...clipAdminRoutes,
  ...scrobblingRoutes,
  ...notificationRoutes,
  ...historyRoutes,
  ...legalRoutes,
  ...letterRoutes,
  ...letterAdminRoutes,
  ...lookRoutes,
  ...lookAdminRoutes,
  ...liveRoutes,
  ...chartRoutes,
  ...playlistRoutes,
  ...sharedLinkRoutes,
  ...podcastRoutes,
  ...reportRoutes,
  ...usageReportRoutes,
  ...weekRoutes,
  ...yearRoutes,
  ...searchRoutes,
  ...billingRoutes,
  ...invoiceRoutes,
  ...payOnceRoutes,
  ...billingAdminRoutes,
  ...bookRoutes,
  ...priceRoutes,
  ...auditRoutes,
  ...catalogueRoutes,
  ...recordingRoutes,
  ...artistAdminRoutes,
  ...uploadRoutes,
  ...subscriberRoutes,
  ...memberImportRoutes,
  ...jobRoutes,
  ...mailRoutes,
  ...settingRoutes,
  ...outboxRoutes,
  ...paymentIssueRoutes,
};
export type Api = typeof api;
