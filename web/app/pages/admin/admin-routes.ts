import { route, type Route } from '../../route.ts';

export const adminRoutes: Route[] = [
  route('/admin', 'Admin Dashboard', 'rows', () => import('./dashboard.tsx'), 'AdminDashboardPage'),
  route('/admin/tracks', 'Tracks', 'rows', () => import('./tracks.tsx'), 'AdminTracksPage'),
  route(
    '/admin/track-management',
    'Track management',
    'rows',
    () => import('./track-management.tsx'),
    'AdminTrackManagementPage',
  ),
  route(
    '/admin/tracks/edit/:id',
    'Edit track',
    'form',
    () => import('./edit-track.tsx'),
    'AdminEditTrackPage',
  ),
  route(
    '/admin/subscribers',
    'Subscribers',
    'rows',
    () => import('./subscribers.tsx'),
    'AdminSubscribersPage',
  ),
  route('/admin/upload', 'Upload', 'rows', () => import('./upload.tsx'), 'AdminUploadPage'),
  route(
    '/admin/simple-upload',
    'Simple upload',
    'form',
    () => import('./simple-upload.tsx'),
    'AdminSimpleUploadPage',
  ),
  route(
    '/admin/upload-old',
    'Plain upload',
    'form',
    () => import('./upload-old.tsx'),
    'AdminUploadOldPage',
  ),
  route('/admin/reports', 'Reports', 'rows', () => import('./reports.tsx'), 'AdminReportsPage'),
];
