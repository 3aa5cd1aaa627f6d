import { newId } from '../../db/ids.ts';
import { ofTrack, type Ask, type Asked } from './asked.ts';
import { createPerson } from './people.ts';

/** A line that its author left while they could. */
const ofMoment =
  (more: Asked = {}): Ask =>
  async ({ deps, tracks }, owner) => {
    const now = deps.clock.now();
    const row = { id: newId(now), user_id: owner.id, track_id: tracks.released.id };
    await deps.database.db
      .insertInto('moments')
      .values({ ...row, second: 1, minute: 0, text: 'Hi', created_at: now, hidden_at: null })
      .onConflict((conflict) => conflict.columns(['user_id', 'track_id', 'minute']).doNothing())
      .execute();
    const { id } = await deps.database.db
      .selectFrom('moments')
      .select('id')
      .where('user_id', '=', owner.id)
      .executeTakeFirstOrThrow();
    return { ...more, params: { id } };
  };

const ofAuthor =
  (more: Asked = {}): Ask =>
  async ({ deps }) => ({ ...more, params: { id: (await createPerson(deps, 'free')).id } });

const line = { payload: { at: 1, text: 'this blend!' } };

/** The site has them on. */
export const momentRequests: Record<string, Ask> = {
  'GET /api/tracks/:id/moments · released': ofTrack('released'),
  'GET /api/tracks/:id/moments · early': ofTrack('early'),
  'GET /api/tracks/:id/moments · for subscribers': ofTrack('forSubscribers'),
  'GET /api/tracks/:id/moments · draft': ofTrack('draft'),
  'GET /api/tracks/:id/moments/marks · released': ofTrack('released'),
  'GET /api/tracks/:id/moments/marks · draft': ofTrack('draft'),
  'POST /api/tracks/:id/moments · released': ofTrack('released', line),
  'POST /api/tracks/:id/moments · draft': ofTrack('draft', line),
  'PATCH /api/moments/:id': ofMoment({ payload: { text: 'that blend!' } }),
  'DELETE /api/moments/:id': ofMoment(),
  'PUT /api/admin/moments/:id/hidden': ofMoment({ payload: { isHidden: true } }),
  'GET /api/admin/moments/authors/:id': ofAuthor(),
  'PUT /api/admin/moments/authors/:id': ofAuthor({ payload: { ban: 'writing' } }),
  'GET /api/admin/moments/tracks/:id': ofTrack('draft'),
  'PUT /api/admin/moments/tracks/:id': ofTrack('draft', { payload: { isOff: true } }),
};
