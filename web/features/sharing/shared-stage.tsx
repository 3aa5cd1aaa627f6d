import type { ReactNode } from 'react';
import type { Track } from '#contract/tracks.ts';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { fitTitle } from '#web/ui/title-fit.ts';

type SharedStageProps = {
  /** Of the mix to hear: the stage has its colour. */
  week: number | undefined;
  /** The sleeve with its numeral, or several sleeves. */
  art: ReactNode;
  kicker: ReactNode;
  title: string;
  /** On a page that is about something else, the title is no first heading. */
  heading?: 'h1' | 'h2';
  lead?: string;
  /** The play button with what it says. */
  play: ReactNode;
  /** The waveform, at the bottom where there is room. */
  children?: ReactNode;
};

/** A sleeve on the stage, and a numeral as high as it: that is a little more than two thirds of its font size. */
export const sharedSleeveClass = 'w-[clamp(104px,33cqi,max(300px,20cqi))]';
const NUMERAL_SIZE = 'calc(clamp(104px, 33cqi, max(300px, 20cqi)) / 0.675)';

export const sharedWaveformClass = 'min-h-[76px] @xl:min-h-[clamp(96px,14cqi,240px)]';

/** What a link is about, for somebody who may never have seen this site: first the music, then the words. */
export function SharedStage({
  week,
  art,
  kicker,
  title,
  heading: Heading = 'h1',
  lead,
  play,
  children,
}: SharedStageProps) {
  return (
    <section
      data-week={week}
      aria-labelledby="shared-title"
      className={`@container flex min-w-0 flex-col ${week === undefined ? 'bg-surface' : 'stage'}`}
    >
      <div className="flex grow flex-col px-gutter pt-4 pb-5 @xl:pt-9 @xl:pb-8 @4xl:pt-14">
        {art}
        <p className="mt-4 type-kicker @xl:mt-7">{kicker}</p>
        <Heading
          id="shared-title"
          style={fitTitle(title)}
          className="mt-1.5 type-display title-fit break-words [--title-max:2.75rem] [--title-room:calc(100cqi-2*var(--gutter))] @xl:mt-2.5 @xl:[--title-max:4rem] @6xl:[--title-max:5.5rem]"
        >
          {title}
        </Heading>
        {lead && (
          <p className="mt-2.5 line-clamp-2 max-w-[58ch] type-lead break-words @xl:mt-4 @xl:line-clamp-4">
            {lead}
          </p>
        )}
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3 @xl:mt-7">{play}</div>
        {children && <div className="mt-5 @xl:mt-auto @xl:pt-8">{children}</div>}
      </div>
    </section>
  );
}

/** The sleeve of one mix, with its numeral. */
export function SharedSleeve({ track }: { track: Pick<Track, 'id' | 'weekNumber' | 'coverUrl'> }) {
  const { id, weekNumber, coverUrl } = track;
  return (
    <div className="flex items-end gap-4 @xl:gap-8">
      <Sleeve
        isFirst
        week={weekNumber}
        trackId={id}
        coverUrl={coverUrl}
        className={`shrink-0 ${sharedSleeveClass}`}
      />
      <Numeral value={weekNumber} isDecorative hasNeighbor size={NUMERAL_SIZE} />
    </div>
  );
}
