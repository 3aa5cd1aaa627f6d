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
import { DrawnPicture } from './drawn-picture.tsx';

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
      <DrawnPicture
        key={path}
        src={path}
        alt={`${name}, as it will be saved`}
        size={CARD_SHAPES[shape]}
      />
      <a href={path} download={`${toSlug(name)}-${shape}.png`} className={buttonClass()}>
        <ArrowDownToLine />
        Save picture
      </a>
    </>
  );
}
