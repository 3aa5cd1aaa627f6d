import { useState } from 'react';
import {
  CARD_SHAPES,
  trackCardPath,
  weekCardPath,
  type CardShape,
} from '#contract/art/card-shapes.ts';
import type { Track } from '#contract/tracks.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { ArrowDownToLine } from '#web/ui/icons.ts';
import { LoadFailure } from '#web/ui/loaded.tsx';

const SUBJECTS = [
  { value: 'track', label: 'This mix' },
  { value: 'week', label: 'The week' },
] as const;
type Subject = (typeof SUBJECTS)[number]['value'];

const SHAPES: { value: CardShape; label: string }[] = [
  { value: 'square', label: 'Square' },
  { value: 'story', label: 'Story' },
  { value: 'wide', label: 'Wide' },
];

const toSlug = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();

/** Pictures of the mix or its week, drawn by the server, to save and post elsewhere. */
export function SharePicture({ track }: { track: Track }) {
  const [subject, setSubject] = useState<Subject>('track');
  const [shape, setShape] = useState<CardShape>('square');
  const { year, weekNumber: week } = track;
  const isOfTrack = subject === 'track';
  const name = isOfTrack ? track.title : `Week ${week}, ${year}`;
  const path = isOfTrack ? trackCardPath(track.id, shape) : weekCardPath({ year, week }, shape);
  return (
    <>
      <div className="mb-3 flex flex-wrap gap-2">
        <Segmented
          label="What the picture shows"
          options={SUBJECTS}
          value={subject}
          onValueChange={setSubject}
        />
        <Segmented label="Shape" options={SHAPES} value={shape} onValueChange={setShape} />
      </div>
      <Preview key={path} src={path} alt={`${name}, as it will be saved`} shape={shape} />
      <a href={path} download={`${toSlug(name)}-${shape}.png`} className={buttonClass()}>
        <ArrowDownToLine />
        Save picture
      </a>
    </>
  );
}

const FAILED = new Error('The picture failed to load.');

type PreviewProps = { src: string; alt: string; shape: CardShape };

/** The server needs a moment to draw a picture that nobody has asked for yet. */
function Preview({ src, alt, shape }: PreviewProps) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const { width, height } = CARD_SHAPES[shape];
  return (
    <div className="mb-4 grid h-64 place-items-center rounded-panel bg-bg p-3 *:col-start-1 *:row-start-1">
      {state === 'loading' && (
        <p role="status" className="text-13 text-text-3">
          Drawing the picture…
        </p>
      )}
      {state === 'failed' ? (
        <LoadFailure
          query={{ data: null, error: FAILED, refetch: () => setState('loading') }}
          failed="Couldn’t load the picture"
        />
      ) : (
        <img
          src={src}
          alt={alt}
          width={width}
          height={height}
          className={`max-h-58 w-auto max-w-full object-contain ${state === 'loading' ? 'opacity-0' : ''}`}
          onLoad={() => setState('shown')}
          onError={() => setState('failed')}
        />
      )}
    </div>
  );
}
