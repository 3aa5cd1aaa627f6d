import type { User } from '#contract/accounts.ts';
import type { Plan } from '#contract/rules/plans.ts';
import type { Call, Told } from '#web/lib/moments.ts';

const isUser = (answer: unknown): answer is User =>
  typeof answer === 'object' && answer !== null && 'id' in answer && 'username' in answer;

const isEntrance = (route: string): boolean =>
  route.startsWith('POST /api/auth/login') || route === 'POST /api/auth/register';

/** Who has come in with this call. */
export const userOfCall = ({ route, answer }: Call): User | null =>
  isEntrance(route) && isUser(answer) ? answer : null;

const track = (action: 'favorite' | 'unfavorite', { id = '' }: Call['params']): Told => ({
  name: 'User Engagement',
  fields: { action, content_id: id, content_type: 'track' },
});

type Usage = Extract<Told, { name: 'Feature Usage' }>['fields'];
const usage = (feature: Usage['feature'], action: Usage['action']) => (): Told => ({
  name: 'Feature Usage',
  fields: { feature, action },
});

const profile = (updated_fields: string[]): Told | null =>
  updated_fields.length > 0 ? { name: 'Profile Update', fields: { updated_fields } } : null;

type Purchase = { plan: Plan; amount: number; currency: 'ZAR'; paymentMethod: string };

/** The server tells of a purchase once, to whoever paid, so that it is told of once. */
function purchase(answer: unknown): Told | null {
  const bought = (answer as { purchase?: Purchase | null } | undefined)?.purchase;
  if (!bought) return null;
  // Cents on the wire, rand in the event.
  const { currency, paymentMethod: payment_method } = bought;
  const paid = { amount: bought.amount / 100, currency, payment_method };
  return bought.plan === 'annual'
    ? { name: 'subscribe-annual', fields: { plan_type: 'annual', ...paid } }
    : { name: 'subscribe-monthly', fields: { plan_type: 'monthly', ...paid } };
}

const byRoute: Record<string, (call: Call) => Told | null> = {
  'POST /api/auth/register': () => ({ name: 'User Signup', fields: {} }),
  'POST /api/auth/logout': usage('account', 'logout'),
  'POST /api/auth/reset-password/request': usage('password-reset', 'request'),
  'PATCH /api/users/:id': ({ changed }) => profile(changed),
  'PUT /api/users/:id/avatar': () => profile(['avatarUrl']),
  'DELETE /api/users/:id/avatar': () => profile(['avatarUrl']),
  'POST /api/tracks/:id/favorite': ({ params }) => track('favorite', params),
  'DELETE /api/tracks/:id/favorite': ({ params }) => track('unfavorite', params),
  'POST /api/checkout/:reference/confirm': ({ answer }) => purchase(answer),
  'POST /api/playlists': usage('playlists', 'create'),
  'DELETE /api/playlists/:id': usage('playlists', 'delete'),
  'PUT /api/playlists/:id/share': usage('playlists', 'share'),
  'POST /api/playlists/:id/tracks': ({ params: { id = '' } }) => ({
    name: 'User Engagement',
    fields: { action: 'add-to-playlist', content_id: id, content_type: 'playlist' },
  }),
};

/** The event that a successful call of the API amounts to, if any. */
export function eventOfCall(call: Call): Told | null {
  if (call.route.startsWith('POST /api/auth/login'))
    return isUser(call.answer) ? { name: 'User Login', fields: {} } : null;
  return byRoute[call.route]?.(call) ?? null;
}
