import type { ComponentType } from 'react';
import { isHelperPath } from '#contract/admin/helper-paths.ts';
import { WEEKDAYS } from '#contract/admin/release-time.ts';
import { boot } from '#web/lib/store/boot.ts';
import { route, type Route } from '#web/router/route.ts';
import { PageAtAddress } from '#web/router/page-view.tsx';
import { InvoiceSheetSkeleton } from '#web/features/billing/documents/invoice-sheet-skeleton.tsx';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { BooksSkeleton } from './money/books/books-skeleton.tsx';
import { PaymentsSkeleton } from './money/payment-issues/payments-skeleton.tsx';
import { AdminColumns, AdminFrame } from './admin-frame.tsx';
import { AdminClosed, GraceNotice } from './admin-grace.tsx';
import {
  CatalogueSkeleton,
  EditSkeleton,
  FormPageSkeleton,
  FridaySkeleton,
  JobsSkeleton,
  LeadSkeleton,
  ListSkeleton,
  MemberSkeleton,
  ReportsSkeleton,
  SubscribersSkeleton,
  UploadSkeleton,
} from './admin-skeletons.tsx';

type Load = () => Promise<{ Page: ComponentType }>;

type Head = {
  /** Unless it is the title. */
  heading?: string;
  hasLead?: boolean;
};

/** While its code loads, a page already has its heading, its views and its shape. */
const adminPage = (
  path: Route['path'],
  title: string,
  Skeleton: ComponentType,
  load: Load,
  { heading = title, hasLead = true }: Head = {},
): Route =>
  route(
    path,
    title,
    'admins',
    () => (
      <AdminFrame title={heading} lead={hasLead && <LeadSkeleton />}>
        <Skeleton />
      </AdminFrame>
    ),
    load,
  );

export const routes: Route[] = [
  adminPage(
    '/admin',
    'Admin Dashboard',
    FridaySkeleton,
    () => import('#web/admin/week/friday.tsx'),
    { heading: WEEKDAYS[boot.releaseDay] ?? 'Friday' },
  ),
  adminPage(
    '/admin/tracks',
    'Mixes',
    CatalogueSkeleton,
    () => import('#web/admin/tracks/tracks.tsx'),
    {
      hasLead: false,
    },
  ),
  adminPage(
    '/admin/track-management',
    'Bulk edit',
    CatalogueSkeleton,
    () => import('#web/admin/tracks/track-management.tsx'),
    { heading: 'Mixes', hasLead: false },
  ),
  adminPage(
    '/admin/tracks/edit/:id',
    'Edit mix',
    EditSkeleton,
    () => import('#web/admin/tracks/edit-track.tsx'),
  ),
  adminPage(
    '/admin/tracks/:id/rights',
    'What was played',
    ListSkeleton,
    () => import('#web/admin/rights/mix-rights.tsx'),
  ),
  adminPage(
    '/admin/rights',
    'Rights',
    ListSkeleton,
    () => import('#web/admin/rights/recordings.tsx'),
  ),
  adminPage(
    '/admin/rights/take-downs',
    'Take-downs',
    ListSkeleton,
    () => import('#web/admin/rights/take-downs.tsx'),
    { heading: 'Rights' },
  ),
  adminPage('/admin/series', 'Series', ListSkeleton, () => import('#web/admin/tracks/series.tsx'), {
    heading: 'Mixes',
    hasLead: false,
  }),
  adminPage(
    '/admin/artists',
    'Artists',
    SubscribersSkeleton,
    () => import('#web/admin/artists/artists.tsx'),
    { heading: 'Mixes', hasLead: false },
  ),
  adminPage(
    '/admin/artists/:id',
    'Edit artist',
    FormPageSkeleton,
    () => import('#web/admin/artists/edit-artist.tsx'),
  ),
  adminPage('/admin/clips', 'Clips', ListSkeleton, () => import('#web/admin/clips/clips.tsx'), {
    heading: 'Mixes',
  }),
  adminPage(
    '/admin/letters',
    'Letters',
    ListSkeleton,
    () => import('#web/admin/letters/letters.tsx'),
  ),
  adminPage(
    '/admin/letters/:id',
    'Letter',
    FormPageSkeleton,
    () => import('#web/admin/letters/letter.tsx'),
  ),
  adminPage(
    '/admin/moments',
    'Moments',
    FormPageSkeleton,
    () => import('#web/admin/moments/moments.tsx'),
  ),
  adminPage(
    '/admin/subscribers',
    'Members',
    SubscribersSkeleton,
    () => import('#web/admin/people/subscribers.tsx'),
  ),
  adminPage(
    '/admin/subscribers/import',
    'Import members',
    FormPageSkeleton,
    () => import('#web/admin/people/import/import-members.tsx'),
  ),
  adminPage(
    '/admin/subscribers/:id',
    'Member',
    MemberSkeleton,
    () => import('#web/admin/people/subscriber.tsx'),
  ),
  adminPage(
    '/admin/payments',
    'Payments',
    PaymentsSkeleton,
    () => import('#web/admin/money/payment-issues/payments.tsx'),
  ),
  adminPage(
    '/admin/prices',
    'Prices',
    FormPageSkeleton,
    () => import('#web/admin/money/prices/prices.tsx'),
  ),
  adminPage(
    '/admin/coupons',
    'Codes',
    FormPageSkeleton,
    () => import('#web/admin/money/coupons/coupons.tsx'),
    { heading: 'Prices' },
  ),
  adminPage(
    '/admin/rights/reports',
    'Usage reports',
    ListSkeleton,
    () => import('#web/admin/rights/reports/reports.tsx'),
  ),
  adminPage(
    '/admin/rights/reports/:id',
    'Usage report',
    FormPageSkeleton,
    () => import('#web/admin/rights/reports/report.tsx'),
  ),
  adminPage(
    '/admin/streaming',
    'Streaming only',
    FormPageSkeleton,
    () => import('#web/admin/money/file-ends/file-ends.tsx'),
    { heading: 'Prices' },
  ),
  adminPage('/admin/jobs', 'Jobs', JobsSkeleton, () => import('#web/admin/site/jobs/jobs.tsx'), {
    heading: 'System',
  }),
  adminPage(
    '/admin/audit',
    'Audit log',
    ListSkeleton,
    () => import('#web/admin/site/audit/audit.tsx'),
    { heading: 'System' },
  ),
  adminPage(
    '/admin/outbox',
    'Outbox',
    ListSkeleton,
    () => import('#web/admin/site/outbox/outbox.tsx'),
    { heading: 'System' },
  ),
  adminPage(
    '/admin/legal',
    'Legal pages',
    FormPageSkeleton,
    () => import('#web/admin/site/legal/legal.tsx'),
    { heading: 'Seller, VAT and legal' },
  ),
  adminPage(
    '/admin/settings',
    'Look',
    FormPageSkeleton,
    () => import('#web/admin/site/look/look.tsx'),
  ),
  adminPage(
    '/admin/settings/releases',
    'Releases and mail',
    FormPageSkeleton,
    () => import('#web/admin/site/settings/releases.tsx'),
  ),
  adminPage(
    '/admin/mails',
    'E-mails',
    FormPageSkeleton,
    () => import('#web/admin/site/mails/mails.tsx'),
    { heading: 'Releases and mail' },
  ),
  adminPage(
    '/admin/settings/seller',
    'Seller and VAT',
    FormPageSkeleton,
    () => import('#web/admin/site/settings/seller.tsx'),
    { heading: 'Seller, VAT and legal' },
  ),
  adminPage(
    '/admin/settings/system',
    'System settings',
    FormPageSkeleton,
    () => import('#web/admin/site/settings/system.tsx'),
    { heading: 'System' },
  ),
  adminPage(
    '/admin/upload',
    'Upload',
    UploadSkeleton,
    () => import('#web/admin/uploads/upload.tsx'),
    {
      hasLead: false,
    },
  ),
  adminPage(
    '/admin/simple-upload',
    'Simple upload',
    UploadSkeleton,
    () => import('#web/admin/uploads/simple-upload.tsx'),
  ),
  adminPage(
    '/admin/upload-old',
    'Basic upload',
    FormPageSkeleton,
    () => import('#web/admin/uploads/upload-old.tsx'),
  ),
  adminPage(
    '/admin/reports/list',
    'Reports',
    ListSkeleton,
    () => import('#web/admin/figures/figure-page.tsx'),
    { hasLead: false },
  ),
  adminPage(
    '/admin/reports',
    'Reports',
    ReportsSkeleton,
    () => import('#web/admin/figures/reports.tsx'),
    {
      hasLead: false,
    },
  ),
  adminPage(
    '/admin/books',
    'Books',
    BooksSkeleton,
    () => import('#web/admin/money/books/books.tsx'),
  ),
  adminPage(
    '/admin/invoices/:id',
    'Invoice',
    InvoiceSheetSkeleton,
    () => import('#web/admin/money/books/invoice.tsx'),
  ),
  adminPage(
    '/admin/credit-notes/:id',
    'Credit note',
    InvoiceSheetSkeleton,
    () => import('#web/admin/money/books/credit-note.tsx'),
  ),
];

/** The other pages don't exist for a helper. */
const helperRoutes = routes.filter(({ path }) => isHelperPath(path));

export function Page() {
  const { user } = useCurrentUser();
  const grace = user?.adminGrace;
  if (grace?.isOver) return <AdminClosed grace={grace} />;
  return (
    <AdminColumns>
      {grace && <GraceNotice grace={grace} />}
      <PageAtAddress table={user?.isAdmin ? routes : helperRoutes} />
    </AdminColumns>
  );
}
