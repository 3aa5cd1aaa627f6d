export { exportBookmarks, exportPlayQueue } from './queries.ts';
