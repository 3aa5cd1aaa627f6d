import type { Track } from '#contract/tracks.ts';
import { Sleeve } from '#web/ui/art/sleeve.tsx';

type WeekPeekProps = { week: number; weeks: number; track: Track | undefined; words: string };

/** What is behind the bar under the pointer, before it is opened. The slider says the same aloud. */
export function WeekPeek({ week, weeks, track, words }: WeekPeekProps) {
  const share = ((week - 0.5) / weeks) * 100;
  const [, ...rest] = words.split(', ');
  return (
    <div
      aria-hidden
      data-week={week}
      className="pointer-events-none absolute bottom-full z-10 mb-2 flex max-w-[min(260px,80vw)] items-center gap-2.5 rounded-panel bg-overlay p-2 pr-3.5 shadow-overlay"
      style={{ left: `${share}%`, transform: `translateX(-${share}%)` }}
    >
      {track && (
        <span className="w-11 shrink-0">
          <Sleeve week={week} coverUrl={track.coverUrl} />
        </span>
      )}
      <span className="min-w-0">
        <strong className="block truncate font-semibold">{track?.title ?? `Week ${week}`}</strong>
        <span className="block truncate type-meta">
          {track
            ? [`Week ${week}`, track.genre, rest.at(-1)].filter(Boolean).join(' · ')
            : rest.join(', ')}
        </span>
      </span>
    </div>
  );
}
