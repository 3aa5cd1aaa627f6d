import { useState } from 'react';
import { YEAR_SHAPES, type YearShape } from '#contract/art/card-shapes.ts';
import type { YearView } from '#contract/years.ts';
import { DrawnPicture } from './drawn-picture.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { ArrowDownToLine } from '#web/ui/icons.ts';

const SHAPES: { value: YearShape; label: string }[] = [
  { value: 'poster', label: 'Poster' },
  { value: 'square', label: 'Square' },
  { value: 'story', label: 'Story' },
];

/** `34 weeks heard of 47. 31 h listened.` */
export const describeFacts = ({ facts }: Pick<YearView, 'facts'>): string =>
  facts.map(({ value, text }) => `${value} ${text}.`).join(' ');

type YearPictureProps = {
  view: YearView;
  /** Where the picture is, without its shape. */
  path: string;
};

/** The year as a picture in one of three shapes, to save. */
export function YearPicture({ view, path }: YearPictureProps) {
  const [shape, setShape] = useState<YearShape>('poster');
  const src = `${path}?shape=${shape}`;
  const { year, title } = view;
  return (
    <>
      <Segmented
        label="Shape"
        options={SHAPES}
        value={shape}
        onValueChange={setShape}
        className="mb-3"
      />
      <DrawnPicture
        key={src}
        src={src}
        alt={`${title}, ${year}. ${describeFacts(view)}`}
        size={YEAR_SHAPES[shape]}
      />
      <a href={src} download className={buttonClass()}>
        <ArrowDownToLine />
        Save picture
      </a>
    </>
  );
}
