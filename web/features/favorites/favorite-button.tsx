import { Heart } from '#web/ui/icons.ts';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { iconButtonClass } from '#web/ui/icon-button.tsx';
import { useFavorite, useListedFavorite } from './use-favorite.ts';

type FavoriteButtonProps = {
  track: Track;
  user: User | null;
  /** Just a heart, or a framed button with a label where there is room. */
  look?: 'icon' | 'framed';
};

const LABEL = 'Favorite';
const LOGIN_HINT = 'Log in to add favorites';
const framedClass = buttonClass({
  variant: 'line',
  className: '@max-5xl/content:w-11 @max-5xl/content:px-0 aria-pressed:[&_svg]:fill-current',
});

export function FavoriteButton({ track, user, look = 'icon' }: FavoriteButtonProps) {
  return <HeartButton user={user} {...useFavorite(track, user)} look={look} />;
}

type ListedFavoriteButtonProps = FavoriteButtonProps & { className?: string | undefined };

/** In a list, where the status comes with the track. Its label is unique: `Favorite: Golden Hour`. */
export function ListedFavoriteButton({ track, user, className }: ListedFavoriteButtonProps) {
  const favorite = useListedFavorite(track, user);
  return <HeartButton user={user} {...favorite} name={track.title} className={className} />;
}

type HeartButtonProps = Pick<ListedFavoriteButtonProps, 'user' | 'look' | 'className'> & {
  isFavorite: boolean;
  toggle: () => void;
  name?: string;
};

function HeartButton({ user, isFavorite, toggle, look, name, className }: HeartButtonProps) {
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
      className={isFramed ? framedClass : iconButtonClass({ className })}
    >
      <Heart />
      {isFramed && <span className="@max-5xl/content:hidden">{LABEL}</span>}
    </button>
  );
}
