import { Heart } from '#web/ui/icons.ts';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { iconButtonClass } from '#web/ui/icon-button.tsx';
import { useFavorite } from './use-favorite.ts';

type FavoriteButtonProps = {
  track: Track;
  user: User | null;
  /** Just a heart, or a framed button with a label where there is room. */
  look?: 'icon' | 'framed';
  /** Makes the labels in a list unique: `Favorite: Golden Hour Pressure`. */
  name?: string;
  /** False in lists, where the status comes with the track. */
  shouldFetch?: boolean;
};

const LABEL = 'Favorite';
const LOGIN_HINT = 'Log in to add favorites';
const framedClass = buttonClass({
  variant: 'line',
  className: '@max-5xl/content:w-11 @max-5xl/content:px-0 aria-pressed:[&_svg]:fill-current',
});

export function FavoriteButton({
  track,
  user,
  look = 'icon',
  name,
  shouldFetch = true,
}: FavoriteButtonProps) {
  const { isFavorite, toggle } = useFavorite(track, user, { shouldFetch });
  const label = user ? LABEL : LOGIN_HINT;
  const isFramed = look === 'framed';
  return (
    <button
      type="button"
      disabled={!user}
      aria-label={name ? `${label}: ${name}` : label}
      aria-pressed={isFavorite}
      title={user ? undefined : LOGIN_HINT}
      onClick={toggle}
      className={isFramed ? framedClass : iconButtonClass()}
    >
      <Heart />
      {isFramed && <span className="@max-5xl/content:hidden">{LABEL}</span>}
    </button>
  );
}
