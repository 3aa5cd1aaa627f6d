import { useEffect, useEffectEvent, useRef } from 'react';
import { formatTracklist, parseTracklist } from '#contract/rules/tracklist.ts';
import type { Chapter } from '#contract/tracks.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { Button } from '#web/ui/button.tsx';

const KEY = 't';

/** The tracklist with a time for its first track that has none; it starts now. */
export function timeNext(chapters: readonly Chapter[], seconds: number): Chapter[] {
  const next = chapters.findIndex(({ at }) => at === null);
  const at = Math.floor(seconds);
  return chapters.map((chapter, index) => (index === next ? { ...chapter, at } : chapter));
}

type TimeTracksProps = {
  value: string;
  sound: string | File | null;
  onChange: (tracklist: string) => void;
};

/** Plays the mix, and notes with a key when each track starts that has no time yet. */
export function TimeTracks({ value, sound, onChange }: TimeTracksProps) {
  const { chapters, problems } = parseTracklist(value);
  const next = chapters.find(({ at }) => at === null);
  if (!next || problems.length > 0 || sound === null) return null;
  return (
    <TimingPlayer
      sound={sound}
      next={next}
      onTime={(seconds) => onChange(formatTracklist(timeNext(chapters, seconds)))}
    />
  );
}

type TimingPlayerProps = {
  sound: string | File;
  next: Chapter;
  onTime: (seconds: number) => void;
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

function TimingPlayer({ sound, next, onTime }: TimingPlayerProps) {
  const player = usePlayer();
  const audio = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    const element = audio.current;
    if (!element) return;
    const url = typeof sound === 'string' ? sound : URL.createObjectURL(sound);
    element.src = url;
    return () => {
      element.removeAttribute('src');
      element.load();
      if (typeof sound !== 'string') URL.revokeObjectURL(url);
    };
  }, [sound]);
  const note = () => audio.current && onTime(audio.current.currentTime);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
    if (event.key.toLowerCase() !== KEY || !isPlain || isTyping(event.target)) return;
    if (audio.current?.paused === false) note();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <section
      aria-label="Add the missing times"
      className="grid grid-cols-1 gap-2.5 rounded-field border border-line px-3.5 py-3 text-13"
    >
      <p className="wrap-anywhere text-text-2">
        Play the mix and press T when this track starts:{' '}
        <b className="font-semibold text-text">{next.title}</b> {next.artist}
      </p>
      <audio ref={audio} controls preload="none" className="w-full" onPlay={() => player.pause()}>
        <track kind="captions" />
      </audio>
      <Button size="sm" variant="line" className="w-fit" onClick={note}>
        It starts now
      </Button>
    </section>
  );
}
