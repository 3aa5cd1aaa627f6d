import { useStore } from '#web/lib/store/store.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { createCasting, type Casting } from '#web/player/audio/casting.ts';
import type { Player } from '#web/player/create-player.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { Cast } from '#web/ui/icons.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

/** One per page, however many buttons there are. */
const castings = new WeakMap<Player, Casting>();

const showProblem = (description: string) =>
  showToast({ title: 'Casting didn’t work', description, variant: 'destructive' });

function getCasting(player: Player): Casting {
  const casting = castings.get(player) ?? createCasting(player, showProblem);
  castings.set(player, casting);
  return casting;
}

/** Shows while a speaker or a television is in reach. */
export function CastButton({ className }: { className?: string }) {
  const { store, prompt } = getCasting(usePlayer());
  const { isAvailable, isCasting } = useStore(store);
  if (!isAvailable && !isCasting) return null;
  return (
    <IconButton
      label="Play on another device"
      aria-pressed={isCasting}
      className={className}
      onClick={() => void prompt()}
    >
      <Cast />
    </IconButton>
  );
}
