import { createAppPassword } from '../../features/app-passwords/service.ts';
import type { SessionUser } from '../../http/route/sessions.ts';
import type { AccessSite, Ask, Asked, TrackKind } from './asked.ts';
import type { Person } from './people.ts';

const viewerOf = ({ id }: Person) => ({ user: { id } as SessionUser });

/** People who only read ask again and again, and an account has few passwords. */
const passwords = new Map<string, Promise<string>>();

function appPasswordOf({ deps }: AccessSite, person: Person): Promise<string> {
  const known =
    passwords.get(person.id) ??
    createAppPassword(deps, viewerOf(person), { name: 'App' }).then(({ password }) => password);
  passwords.set(person.id, known);
  return known;
}

const asCall = (call: string, query: Record<string, string> = {}): Asked => ({
  params: { '*': call },
  query: { ...query, v: '1.16.1', c: 'test', f: 'json' },
});

/** A call with the person's own app password; a visitor has none. */
const withPassword =
  (call: string, kind?: TrackKind): Ask =>
  async (site, _owner, person) => {
    const id: Record<string, string> = kind ? { id: site.tracks[kind].id } : {};
    if (person.role === 'visitor') return asCall(call, id);
    return asCall(call, { ...id, u: person.username, p: await appPasswordOf(site, person) });
  };

export const appRequests: Record<string, Ask> = {
  'POST /api/me/app-passwords': () => ({ payload: { name: 'Phone' } }),
  'DELETE /api/me/app-passwords/:id': async ({ deps }, owner) => ({
    params: {
      id: (await createAppPassword(deps, viewerOf(owner), { name: 'App' })).appPassword.id,
    },
  }),
  'GET /rest/* · ping': withPassword('ping'),
  'GET /rest/* · extensions': () => asCall('getOpenSubsonicExtensions'),
  'GET /rest/* · an unknown call': withPassword('getEverything'),
  'GET /rest/* · stream, released, without a password': ({ tracks }) =>
    asCall('stream', { id: tracks.released.id }),
  'GET /rest/* · stream, released': withPassword('stream', 'released'),
  'GET /rest/* · stream, early': withPassword('stream', 'early'),
  'GET /rest/* · stream, for subscribers': withPassword('stream', 'forSubscribers'),
  'GET /rest/* · stream, draft': withPassword('stream', 'draft'),
  'GET /rest/* · stream, deleted': withPassword('stream', 'deleted'),
  'GET /rest/* · download, released': withPassword('download', 'released'),
  'GET /rest/* · download, draft': withPassword('download', 'draft'),
  'GET /rest/* · cover, draft': withPassword('getCoverArt', 'draft'),
  'POST /rest/*': () => ({ params: { '*': 'ping.view' }, query: { f: 'json' } }),
  'OPTIONS /rest/*': () => ({ params: { '*': 'ping.view' } }),
};
