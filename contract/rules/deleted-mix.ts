import { DAY } from './time.ts';
/** How long a deleted mix can be brought back. Its files go after that. */
export const DELETED_TRACK_MS = 7 * DAY;
