import type { ComponentType } from 'react';
import { route, type Route } from '#web/router/route.ts';
import { notFoundRoute } from '#web/router/rare-routes.tsx';
import { RouteSwitch } from '#web/router/route-switch.tsx';
import { InvoiceSheetSkeleton } from '#web/features/billing/documents/invoice-sheet.tsx';
import { AdminFrame } from './admin-frame.tsx';
import { AdminGrace } from './admin-grace.tsx';
import {
  CatalogueSkeleton,
  DashboardSkeleton,
  EditSkeleton,
  FormPageSkeleton,
  JobsSkeleton,
  LeadSkeleton,
  ListSkeleton,
  MemberSkeleton,
  ReportsSkeleton,
  SettingsSkeleton,
  SubscribersSkeleton,
  UploadSkeleton,
} from './admin-skeletons.tsx';

type Load = () => Promise<{ Page: ComponentType }>;

type Head = {
  /** Unless it is the title. */
  heading?: string;
  hasLead?: boolean;
};

/** While its code loads, a page already has its heading, its tabs and its shape. */
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
    DashboardSkeleton,
    () => import('./figures/dashboard.tsx'),
    {
      heading: 'Overview',
    },
  ),
  adminPage('/admin/tracks', 'Tracks', CatalogueSkeleton, () => import('./tracks/tracks.tsx'), {
    hasLead: false,
  }),
  adminPage(
    '/admin/track-management',
    'Track management',
    CatalogueSkeleton,
    () => import('./tracks/track-management.tsx'),
  ),
  adminPage(
    '/admin/tracks/edit/:id',
    'Edit track',
    EditSkeleton,
    () => import('./tracks/edit-track.tsx'),
  ),
  adminPage(
    '/admin/artists',
    'Artists',
    SubscribersSkeleton,
    () => import('./artists/artists.tsx'),
  ),
  adminPage(
    '/admin/artists/:id',
    'Edit artist',
    FormPageSkeleton,
    () => import('./artists/edit-artist.tsx'),
  ),
  adminPage(
    '/admin/subscribers',
    'Subscribers',
    SubscribersSkeleton,
    () => import('./people/subscribers.tsx'),
  ),
  adminPage(
    '/admin/subscribers/import',
    'Import members',
    FormPageSkeleton,
    () => import('./people/import/import-members.tsx'),
  ),
  adminPage(
    '/admin/subscribers/:id',
    'Subscriber',
    MemberSkeleton,
    () => import('./people/subscriber.tsx'),
  ),
  adminPage(
    '/admin/payments',
    'Payment issues',
    ListSkeleton,
    () => import('./money/payment-issues/payments.tsx'),
  ),
  adminPage('/admin/prices', 'Prices', FormPageSkeleton, () => import('./money/prices/prices.tsx')),
  adminPage(
    '/admin/coupons',
    'Coupons',
    FormPageSkeleton,
    () => import('./money/coupons/coupons.tsx'),
  ),
  adminPage('/admin/jobs', 'Jobs', JobsSkeleton, () => import('./site/jobs/jobs.tsx')),
  adminPage('/admin/audit', 'Audit log', ListSkeleton, () => import('./site/audit/audit.tsx')),
  adminPage('/admin/outbox', 'Outbox', ListSkeleton, () => import('./site/outbox/outbox.tsx')),
  adminPage(
    '/admin/legal',
    'Legal pages',
    FormPageSkeleton,
    () => import('./site/legal/legal.tsx'),
  ),
  adminPage(
    '/admin/settings',
    'Site settings',
    SettingsSkeleton,
    () => import('./site/settings/settings.tsx'),
  ),
  adminPage('/admin/upload', 'Upload', UploadSkeleton, () => import('./uploads/upload.tsx'), {
    heading: 'Uploads',
    hasLead: false,
  }),
  adminPage(
    '/admin/simple-upload',
    'Simple upload',
    UploadSkeleton,
    () => import('./uploads/simple-upload.tsx'),
  ),
  adminPage(
    '/admin/upload-old',
    'Basic upload',
    FormPageSkeleton,
    () => import('./uploads/upload-old.tsx'),
  ),
  adminPage(
    '/admin/reports/list',
    'Reports',
    ListSkeleton,
    () => import('./figures/figure-page.tsx'),
    { hasLead: false },
  ),
  adminPage('/admin/reports', 'Reports', ReportsSkeleton, () => import('./figures/reports.tsx'), {
    hasLead: false,
  }),
  adminPage('/admin/books', 'Books', ListSkeleton, () => import('./money/books/books.tsx')),
  adminPage(
    '/admin/invoices/:id',
    'Invoice',
    InvoiceSheetSkeleton,
    () => import('./money/books/invoice.tsx'),
    {
      hasLead: false,
    },
  ),
  adminPage(
    '/admin/credit-notes/:id',
    'Credit note',
    InvoiceSheetSkeleton,
    () => import('./money/books/credit-note.tsx'),
    {
      hasLead: false,
    },
  ),
];

export const Page = () => (
  <AdminGrace>
    <RouteSwitch routes={routes} otherwise={notFoundRoute} />
  </AdminGrace>
);
