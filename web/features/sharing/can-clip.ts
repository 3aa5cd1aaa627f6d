import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { isStaff } from '#web/lib/api/current-user.ts';
import { boot } from '#web/lib/store/boot.ts';

type SharedTrack = Pick<Track, 'unreleased' | 'isSubscriberOnly' | 'publishedAt'>;

const isOut = ({ unreleased, publishedAt }: SharedTrack): boolean =>
  !unreleased && publishedAt <= Date.now();

/** Embeds and pictures show what visitors may hear. */
export const isPublic = (track: SharedTrack): boolean => isOut(track) && !track.isSubscriberOnly;

/** Everyone hears a clip: of a mix for subscribers only the operator makes one. */
export const isClippable = (
  track: SharedTrack,
  user: Pick<User, 'isAdmin' | 'isHelper'> | null,
): boolean => boot.hasClips && isOut(track) && (!track.isSubscriberOnly || isStaff(user));
