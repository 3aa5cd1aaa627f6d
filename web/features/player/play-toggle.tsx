import type { ComponentProps } from 'react';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { PlayButton } from '#web/ui/play-button.tsx';

type PlayToggleProps = Pick<ComponentProps<typeof PlayButton>, 'size' | 'className'>;

/** Play or pause of what is current. It breathes while the sound is on its way. */
export function PlayToggle({ size = 'md', className = '' }: PlayToggleProps) {
  const player = usePlayer();
  const isActive = usePlayerState((state) => state.isPlaying || state.isStarting);
  const isWaiting = usePlayerState((state) => state.isStarting || state.isBuffering);
  return (
    <PlayButton
      label={isActive ? 'Pause' : 'Play'}
      isPlaying={isActive}
      aria-busy={isWaiting}
      size={size}
      className={`${isWaiting ? 'animate-breathe' : ''} ${className}`}
      onClick={player.togglePlay}
    />
  );
}
