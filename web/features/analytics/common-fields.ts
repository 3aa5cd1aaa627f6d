import type { User } from '#contract/accounts.ts';
import type { CommonFields } from '#contract/analytics.ts';

type Sizes = {
  screen: { width: number; height: number };
  innerWidth: number;
  innerHeight: number;
};
type Context = { at: number; user: User | null; appVersion: string; sizes: Sizes };

const describeUser = ({ id, username, isSubscriber }: User) => ({
  userId: id,
  username,
  account_type: isSubscriber ? ('premium' as const) : ('free' as const),
});

/** The fields that every event has. */
export const buildCommonFields = ({ at, user, appVersion, sizes }: Context): CommonFields => ({
  platform: 'web',
  app_version: appVersion,
  screen_resolution: `${sizes.screen.width}x${sizes.screen.height}`,
  viewport_size: `${sizes.innerWidth}x${sizes.innerHeight}`,
  timestamp: new Date(at).toISOString(),
  ...(user && describeUser(user)),
});
