import { useEffect, useRef, useState } from 'react';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';

export type PartSound = {
  state: 'idle' | 'playing' | 'failed';
  /** From 0 to 1; null before it has played. */
  played: number | null;
  /** Goes on where it was paused. */
  toggle: () => void;
  /** Plays from the start next time. */
  stop: () => void;
};

type Part = { url: string; start?: number; seconds: number };

/** Where nothing is known of the file yet, `loadedmetadata` does it. */
function goTo(sound: HTMLAudioElement, second: number): void {
  if (sound.readyState > 0) sound.currentTime = second;
}

/**
 * Plays some seconds of a file beside the player, which keeps its mix and its place. The two never
 * sound together.
 */
export function usePartSound({ url, start = 0, seconds }: Part): PartSound {
  const player = usePlayer();
  const isPlayerOn = usePlayerState(({ isPlaying, isStarting }) => isPlaying || isStarting);
  const [state, setState] = useState<PartSound['state']>('idle');
  const [played, setPlayed] = useState<number | null>(null);
  const audio = useRef<HTMLAudioElement>(null);
  /** What plays, or goes on; null if the next press begins. */
  const part = useRef<{ start: number; seconds: number }>(null);
  useEffect(() => () => audio.current?.pause(), []);
  useEffect(() => {
    if (isPlayerOn) audio.current?.pause();
  }, [isPlayerOn]);

  function stop(): void {
    audio.current?.pause();
    part.current = null;
    setPlayed(null);
  }

  function open(): HTMLAudioElement {
    const sound = new Audio(url);
    sound.addEventListener('loadedmetadata', () => {
      if (part.current) goTo(sound, part.current.start);
    });
    sound.addEventListener('playing', () => setState('playing'));
    sound.addEventListener('pause', () => setState('idle'));
    sound.addEventListener('timeupdate', () => {
      if (!part.current) return;
      const share = (sound.currentTime - part.current.start) / part.current.seconds;
      if (share >= 1) stop();
      else setPlayed(Math.max(0, share));
    });
    sound.addEventListener('ended', stop);
    sound.addEventListener('error', () => {
      setState('failed');
      audio.current = null;
    });
    return sound;
  }

  function toggle(): void {
    if (state === 'playing') return audio.current?.pause();
    player.pause();
    const isOther = audio.current?.getAttribute('src') !== url;
    const sound = isOther || !audio.current ? open() : audio.current;
    audio.current = sound;
    if (isOther || !part.current) {
      part.current = { start, seconds };
      goTo(sound, start);
    }
    // An error has its own event; a pause before the start is none.
    sound.play().catch(() => undefined);
  }

  return { state, played, toggle, stop };
}
