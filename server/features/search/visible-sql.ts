import { sql } from 'kysely';
import type { Visibility } from '../tracks/service.ts';

/** Asked of the track itself with every search: the index does not know who may see what. */
export const isVisible = (publishedBy: number, mostReserved: number) =>
  sql`t.status = 'ready' and t.publish_at <= ${publishedBy}
    and t.is_subscriber_only <= ${mostReserved}`;

export const visibleValues = (
  visibility: Visibility,
): [publishedBy: number, mostReserved: 0 | 1] => [
  visibility.publishedBy,
  visibility.includesSubscriberOnly ? 1 : 0,
];
