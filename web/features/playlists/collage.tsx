import { ListMusic } from '#web/ui/icons.ts';
import type { Playlist } from '#contract/playlists.ts';
import { Sleeve } from '#web/ui/art/sleeve.tsx';

type CollageProps = { sleeves: Readonly<Playlist['sleeves']>; className?: string };

/** Four sleeves, or one if there are fewer, or a placeholder. */
export function Collage({ sleeves, className = '' }: CollageProps) {
  const [first] = sleeves;
  if (!first)
    return (
      <span
        className={`grid aspect-square place-items-center rounded-sleeve bg-raised text-text-3 ${className}`}
      >
        <ListMusic strokeWidth={1.25} className="size-1/4" />
      </span>
    );
  if (sleeves.length < 4)
    return (
      <Sleeve
        week={first.weekNumber}
        trackId={first.id}
        coverUrl={first.coverUrl}
        className={className}
      />
    );
  return (
    <span className={`grid aspect-square grid-cols-2 gap-0.5 ${className}`}>
      {sleeves.slice(0, 4).map(({ id, weekNumber, coverUrl }, i) => (
        <Sleeve key={i} week={weekNumber} trackId={id} coverUrl={coverUrl} />
      ))}
    </span>
  );
}
