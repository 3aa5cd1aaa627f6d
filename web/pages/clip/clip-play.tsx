import type { PublicClip } from '#contract/clips.ts';
import { describeShortPlay } from '#contract/rules/data-use.ts';
import type { PartSound } from '#web/features/sharing/use-part-sound.ts';
import { boot } from '#web/lib/store/boot.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { PlayButton } from '#web/ui/play-button.tsx';

/** Plays the clip with one tap, and says what that costs. */
export function ClipPlay({ clip, sound }: { clip: PublicClip; sound: PartSound }) {
  const { seconds, sizes } = clip;
  const { state, toggle } = sound;
  const length = formatCount(seconds, 'second');
  const isPlaying = state === 'playing';
  return (
    <>
      <PlayButton
        size="xl"
        label={isPlaying ? 'Pause' : `Play ${length}`}
        isPlaying={isPlaying}
        onClick={toggle}
      />
      <div className="min-w-0 flex-1 basis-40">
        <strong aria-hidden className="block text-16 font-semibold">
          {isPlaying ? 'Playing' : `Play ${length}`}
        </strong>
        <span role="status" className="type-meta">
          {state === 'failed'
            ? 'The clip couldn’t be loaded. Try again.'
            : `Free, no account. ${describeShortPlay(sizes.audio, boot.dataPrice)}.`}
        </span>
      </div>
    </>
  );
}
