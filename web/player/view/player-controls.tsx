import type { ComponentProps } from 'react';
import { Volume2, VolumeX } from '#web/ui/icons.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { sliderToVolume, volumeToSlider } from '#web/player/machine/volume.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { PlayButton } from '#web/ui/play-button.tsx';
import { Slider } from '#web/ui/forms/slider.tsx';

type PlayToggleProps = Pick<ComponentProps<typeof PlayButton>, 'size' | 'className'>;

/** Plays or pauses the current track. It pulses until the sound starts. */
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

export function VolumeControl({ className = '' }: { className?: string }) {
  const player = usePlayer();
  const position = usePlayerState((state) => volumeToSlider(state.volume));
  const isMuted = position === 0;
  const Icon = isMuted ? VolumeX : Volume2;
  return (
    <div className={`flex items-center ${className}`}>
      <IconButton label={isMuted ? 'Unmute' : 'Mute'} onClick={player.toggleMute}>
        <Icon />
      </IconButton>
      <Slider
        label="Volume"
        value={position}
        valueText={`${position} percent`}
        onChange={(next) => player.setVolume(sliderToVolume(next))}
        className="min-w-[92px]"
      />
    </div>
  );
}
