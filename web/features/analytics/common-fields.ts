import type { User } from '#contract/accounts.ts';
import type { CommonFields } from '#contract/analytics.ts';

type Sizes = {
  screen: { width: number; height: number };
  innerWidth: number;
  innerHeight: number;
};
type Circumstances = { at: number; user: User | null; appVersion: string; sizes: Sizes };

const person = ({ id, username, isSubscriber }: User) => ({
  userId: id,
  username,
  account_type: isSubscriber ? ('premium' as const) : ('free' as const),
});

/** What every event tells besides its own. */
export const commonFields = ({ at, user, appVersion, sizes }: Circumstances): CommonFields => ({
  platform: 'web',
  app_version: appVersion,
  screen_resolution: `${sizes.screen.width}x${sizes.screen.height}`,
  viewport_size: `${sizes.innerWidth}x${sizes.innerHeight}`,
  timestamp: new Date(at).toISOString(),
  ...(user && person(user)),
});
