import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { usePlayer } from '#web/player/use-player.ts';

export type PreviewSound = {
  /** Seconds into the mix; null while it is silent. */
  position: number | null;
  hasFailed: boolean;
  toggle: () => void;
};

/** Plays the part of a mix that becomes the preview, instead of what the player plays. */
export function usePreviewSound(source: string | File | null, start: number): PreviewSound {
  const player = usePlayer();
  const audio = useRef<HTMLAudioElement | null>(null);
  const [position, setPosition] = useState<number | null>(null);
  const [hasFailed, setFailed] = useState(false);

  const stop = () => {
    audio.current?.pause();
    setPosition(null);
  };
  const onTime = useEffectEvent((seconds: number) => {
    if (audio.current?.paused) return;
    if (seconds >= start + PREVIEW_SECONDS) stop();
    else setPosition(seconds);
  });
  const onEnd = useEffectEvent((isFailure: boolean) => {
    setPosition(null);
    if (isFailure) setFailed(true);
  });

  useEffect(() => {
    if (source === null) return;
    const url = typeof source === 'string' ? source : URL.createObjectURL(source);
    const element = new Audio();
    element.preload = 'none';
    element.src = url;
    element.addEventListener('timeupdate', () => onTime(element.currentTime));
    element.addEventListener('ended', () => onEnd(false));
    element.addEventListener('error', () => onEnd(true));
    audio.current = element;
    return () => {
      audio.current = null;
      element.pause();
      element.removeAttribute('src');
      element.load();
      setPosition(null);
      if (typeof source !== 'string') URL.revokeObjectURL(url);
    };
  }, [source]);

  // The player and the preview never play at the same time.
  const onPlayer = useEffectEvent(() => {
    if (player.store.get().isPlaying && position !== null) stop();
  });
  useEffect(() => player.store.subscribe(() => onPlayer()), [player]);

  // Moving the start moves what is heard.
  const onMove = useEffectEvent((seconds: number) => {
    if (audio.current && position !== null) audio.current.currentTime = seconds;
  });
  useEffect(() => onMove(start), [start]);

  function toggle() {
    const element = audio.current;
    if (!element) return;
    if (position !== null) return stop();
    setFailed(false);
    player.pause();
    element.currentTime = start;
    setPosition(start);
    element.play().catch((error: unknown) => {
      // Stopping before it starts to play is not a failure.
      const isStopped = error instanceof DOMException && error.name === 'AbortError';
      setPosition(null);
      if (!isStopped) setFailed(true);
    });
  }
  return { position, hasFailed, toggle };
}
