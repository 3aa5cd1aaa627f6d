import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Track } from '#contract/tracks.ts';
import { useUpgradePath } from '#web/lib/location/use-next.ts';
import { useWaveformSource } from './use-waveform-source.ts';
import { WaveformPicture } from './waveform-picture.tsx';

const MESSAGE = 'The rest of this mix is for Premium members.';

type LockedRestProps = {
  track: Track;
  /** The preview is over, so the message shows without a press. */
  isPreviewEnded: boolean;
};

/** A small waveform of the whole mix, with the preview lit where it is. Pressing it says what is locked. */
export function LockedRest({ track, isPreviewEnded }: LockedRestProps) {
  const [isAsked, setAsked] = useState(false);
  const source = useWaveformSource(track, { isLocked: true, scale: 'track' });
  if (isAsked || isPreviewEnded) return <LockedNote hasFocus={isAsked} />;
  return (
    <button
      type="button"
      aria-label="What’s locked in this mix"
      className="relative mt-2 shrink-0 before:absolute before:inset-x-0 before:-top-2 before:-bottom-4"
      onClick={() => setAsked(true)}
    >
      <WaveformPicture source={source} barWidth={2} className="h-5" />
    </button>
  );
}

function LockedNote({ hasFocus }: { hasFocus: boolean }) {
  const upgradePath = useUpgradePath();
  const id = useId();
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // It replaces the button that was pressed.
    if (hasFocus) link.current?.focus({ preventScroll: true });
  }, [hasFocus]);
  return (
    <p className="mt-2 min-h-5 shrink-0 text-13 text-text-2">
      <span id={id}>{MESSAGE}</span>{' '}
      <Link
        ref={link}
        href={upgradePath}
        aria-describedby={id}
        className="font-semibold whitespace-nowrap text-text underline underline-offset-2"
      >
        Upgrade to Premium
      </Link>
    </p>
  );
}
