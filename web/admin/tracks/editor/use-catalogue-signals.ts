import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { TRACKS_PATH } from './api.ts';

/** Shows changes of uploads and tracks as they happen. */
export const useCatalogueSignals = (): void =>
  useRefreshOn('admin:tracks', '/api/admin/uploads', TRACKS_PATH);
