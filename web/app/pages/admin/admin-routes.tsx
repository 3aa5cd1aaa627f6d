import { route, type Route } from '#web/app/route.ts';
import { notFoundRoute } from '#web/app/rare-routes.tsx';
import { RouteSwitch } from '#web/app/route-switch.tsx';

export const adminRoutes: Route[] = [
  route('/admin', 'Admin Dashboard', 'rows', () => import('./dashboard.tsx')),
  route('/admin/tracks', 'Tracks', 'rows', () => import('./tracks/tracks.tsx')),
  route(
    '/admin/track-management',
    'Track management',
    'rows',
    () => import('./tracks/track-management.tsx'),
  ),
  route('/admin/tracks/edit/:id', 'Edit track', 'form', () => import('./tracks/edit-track.tsx')),
  route('/admin/subscribers', 'Subscribers', 'rows', () => import('./subscribers/subscribers.tsx')),
  route(
    '/admin/subscribers/:id',
    'Subscriber',
    'rows',
    () => import('./subscribers/subscriber.tsx'),
  ),
  route('/admin/coupons', 'Coupons', 'rows', () => import('./coupons.tsx')),
  route('/admin/jobs', 'Jobs', 'rows', () => import('./jobs.tsx')),
  route('/admin/audit', 'Audit log', 'rows', () => import('./audit.tsx')),
  route('/admin/outbox', 'Outbox', 'rows', () => import('./outbox.tsx')),
  route('/admin/settings', 'Site settings', 'form', () => import('./settings.tsx')),
  route('/admin/upload', 'Upload', 'rows', () => import('./uploads/upload.tsx')),
  route(
    '/admin/simple-upload',
    'Simple upload',
    'form',
    () => import('./uploads/simple-upload.tsx'),
  ),
  route('/admin/upload-old', 'Basic upload', 'form', () => import('./uploads/upload-old.tsx')),
  route('/admin/reports/list', 'Reports', 'rows', () => import('./reports/figure-list.tsx')),
  route('/admin/reports', 'Reports', 'rows', () => import('./reports/reports.tsx')),
];

export const Page = () => <RouteSwitch routes={adminRoutes} otherwise={notFoundRoute} />;
