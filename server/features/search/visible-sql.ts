import { sql } from 'kysely';
import type { Visibility } from '../tracks/service.ts';

/** Asked of the track itself with every search: the index does not know who may see what. */
export const isVisible = ({ publishedBy, includesSubscriberOnly }: Visibility) =>
  sql`t.status = 'ready' and t.publish_at <= ${publishedBy}
    and t.is_subscriber_only <= ${includesSubscriberOnly ? 1 : 0}`;
