import { formatDuration } from '#contract/rules/time.ts';
import { PREVIEW_LENGTH_TEXT, PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { Button } from '#web/ui/button.tsx';
import { Pause, Play } from '#web/ui/icons.ts';
import { usePreviewSound } from './use-preview-sound.ts';
import { WaveformPicture } from '#web/player/view/waveform-picture.tsx';

type PreviewPickerProps = {
  /** Undefined while they load. */
  peaks: readonly number[] | undefined;
  duration: number;
  /** Null until someone picks one. */
  start: number | null;
  note: string;
  /** What can be heard of the mix: the address of its audio, or the file to upload. */
  sound: string | File | null;
  onStart: (seconds: number) => void;
};

/** Picks the start of the preview on the waveform, by pointer, touch or arrow keys. */
export function PreviewPicker(props: PreviewPickerProps) {
  const { peaks, duration, start, note, sound, onStart } = props;
  const latest = Math.max(0, Math.floor(duration - PREVIEW_SECONDS));
  const at = Math.min(start ?? 0, latest);
  const end = Math.min(duration, at + PREVIEW_SECONDS);
  const { position, hasFailed, toggle } = usePreviewSound(sound, at);
  const share = (seconds: number) => `${((seconds / duration) * 100).toFixed(2)}%`;
  return (
    <div className="grid gap-2">
      <span className="font-medium">Preview</span>
      <div className="relative h-20 has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-focus">
        {peaks && (
          <WaveformPicture
            source={{
              peaks,
              duration,
              chapters: [],
              preview: null,
              scale: 'preview',
            }}
            played={0}
            className="h-20"
          />
        )}
        {start !== null && (
          <span
            aria-hidden
            className="pointer-events-none absolute inset-y-0 border-x-2 border-text bg-week-fill/30"
            style={{ left: share(at), width: share(end - at) }}
          />
        )}
        {position !== null && (
          <span
            aria-hidden
            className="pointer-events-none absolute inset-y-0 w-0.5 bg-text"
            style={{ left: share(position) }}
          />
        )}
        <input
          type="range"
          aria-label="Start of the preview"
          aria-valuetext={
            start === null ? 'Not picked' : `${formatDuration(at)} to ${formatDuration(end)}`
          }
          min={0}
          max={Math.floor(duration)}
          step={1}
          value={at}
          className="absolute inset-0 size-full cursor-pointer opacity-0"
          onChange={(event) => onStart(Math.min(latest, Number(event.target.value)))}
        />
      </div>
      {sound !== null && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Button size="sm" variant="line" onClick={toggle}>
            {position === null ? <Play /> : <Pause />}
            {position === null ? 'Play preview' : 'Stop'}
          </Button>
          {position !== null && (
            <span className="text-13 text-text-2 tabular-nums">
              {formatDuration(Math.max(0, position - at))} of {formatDuration(end - at)}
            </span>
          )}
          {hasFailed && (
            <p role="alert" className="text-13 text-danger">
              Couldn’t play the preview.
            </p>
          )}
        </div>
      )}
      <p className="text-13 text-text-3">
        {start === null
          ? `Automatic: the loudest ${PREVIEW_LENGTH_TEXT}. `
          : `${formatDuration(at)}–${formatDuration(end)}. `}
        {note}
      </p>
    </div>
  );
}
