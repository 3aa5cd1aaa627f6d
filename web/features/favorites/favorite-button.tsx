import { Heart } from 'lucide-react';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { iconButtonClass } from '#web/ui/icon-button.tsx';
import { useFavorite } from './use-favorite.ts';

type FavoriteButtonProps = {
  track: Track;
  user: User | null;
  /** A heart alone, or in a frame with its word where there is room. */
  look?: 'icon' | 'framed';
  /** What it is called where several stand below each other: `Favorite: Golden Hour Pressure`. */
  name?: string;
  /** False in lists, where the track itself says what it is. */
  isAsked?: boolean;
};

const LABEL = 'Favorite';
const WHY_NOT = 'Log in to add favorites';
const framedClass = buttonClass({
  variant: 'line',
  className: 'max-md:w-11 max-md:px-0 aria-pressed:[&_svg]:fill-current',
});

export function FavoriteButton({
  track,
  user,
  look = 'icon',
  name,
  isAsked = true,
}: FavoriteButtonProps) {
  const { isFavorite, toggle } = useFavorite(track, user, { isAsked });
  const label = user ? LABEL : WHY_NOT;
  const isFramed = look === 'framed';
  return (
    <button
      type="button"
      disabled={!user}
      aria-label={name ? `${label}: ${name}` : label}
      aria-pressed={isFavorite}
      title={user ? undefined : WHY_NOT}
      onClick={toggle}
      className={isFramed ? framedClass : iconButtonClass()}
    >
      <Heart aria-hidden strokeWidth={1.75} />
      {isFramed && <span className="max-md:hidden">{LABEL}</span>}
    </button>
  );
}
