import { createContext, use, useCallback, useState, type ReactNode } from 'react';
import { MAX_ON_SHEET, sleeveName, sleevePath } from '#contract/art/sleeve-names.ts';
import type { Track } from '#contract/tracks.ts';
import { boot } from '#web/lib/store/boot.ts';
import { useIsRendered } from '#web/lib/format/now.ts';
import type { paintSleeve } from './paint-sleeve.ts';

type SleeveProps = {
  week: number;
  /** Makes two mixes of the same week look different. */
  trackId?: string | undefined;
  /** An uploaded cover, shown unchanged. */
  coverUrl?: string | null;
  /** Leave it out where the title is next to the sleeve, so that screen readers say it once. */
  title?: string;
  /** Words on a sleeve that isn't an uploaded cover. */
  caption?: ReactNode;
  /** The one people look at first. The others load as they come near. */
  isFirst?: boolean;
  /** At most 48 px, in rows: the browser draws these itself once it can. */
  isSmall?: boolean;
  className?: string;
};

let painter: typeof paintSleeve | undefined;

/**
 * Loads the code with which the browser draws small sleeves itself. To a browser a picture in SVG is
 * a document: to load, paint and forget one for every row of a long list takes longer than the rest.
 */
export const loadSleevePainter = (): Promise<void> =>
  import('./paint-sleeve.ts').then(
    ({ paintSleeve: paint }) => void (painter = paint),
    // The server draws them too.
    () => undefined,
  );

/** A square cover. Without an uploaded one the server draws it. */
export function Sleeve(props: SleeveProps) {
  const isRendered = useIsRendered();
  const [paint] = useState(() => (isRendered ? undefined : painter));
  if (!props.isSmall || props.coverUrl || !paint) return <SleevePicture {...props} />;
  const { week, trackId, className = '' } = props;
  const name = sleeveName(boot.look.sleeves, week, trackId);
  return (
    <span data-week={week} className={`sleeve ${className}`}>
      <PaintedSleeve key={name} name={name} paint={paint} />
    </span>
  );
}

type PaintedSleeveProps = { name: string; paint: typeof paintSleeve };

function PaintedSleeve({ name, paint }: PaintedSleeveProps) {
  const [side] = useState(() => Math.ceil(SMALL * window.devicePixelRatio));
  const paintThis = useCallback((canvas: HTMLCanvasElement) => paint(canvas, name), [name, paint]);
  return <canvas ref={paintThis} width={side} height={side} className="size-full" />;
}

/** What small sleeves measure at most. */
const SMALL = 48;

function SleevePicture(props: SleeveProps) {
  const { week, trackId, coverUrl, title, caption, isFirst = false, className = '' } = props;
  const [failed, setFailed] = useState<readonly string[]>([]);
  const addFailed = useCallback((url: string) => setFailed((urls) => [...urls, url]), []);
  // An image of the server's page may have failed before this code could listen.
  const checkFirst = useCallback(
    (image: HTMLImageElement | null) => {
      if (image && hasFailed(image)) addFailed(image.getAttribute('src') ?? '');
    },
    [addFailed],
  );
  const name = sleeveName(boot.look.sleeves, week, trackId);
  const sheet = use(SheetContext);
  const isUsable = (url: string) => !failed.includes(url);
  const uploaded = coverUrl && isUsable(coverUrl) ? coverUrl : undefined;
  const drawings = sheet.includes(name) ? [sleevePath(...sheet)] : [];
  // If nothing loads, it stays a plain square in the week's colour.
  const source = uploaded ?? [...drawings, sleevePath(name)].find(isUsable);
  return (
    <span data-week={week} className={`sleeve ${className}`}>
      {source && (
        <img
          ref={checkFirst}
          src={source}
          alt={title ? `Cover of ${title}` : ''}
          width={SIZE}
          height={SIZE}
          {...(isFirst ? { fetchPriority: 'high' } : { loading: 'lazy', decoding: 'async' })}
          draggable={false}
          {...(drawings.includes(source)
            ? cutOut(sheet.indexOf(name), sheet.length)
            : { className: 'size-full object-cover' })}
          onError={() => addFailed(source)}
        />
      )}
      {caption && !uploaded && (
        <span className="absolute inset-x-0 bottom-0 bg-bg/90 py-0.5 text-center text-[min(0.625rem,13px)] leading-tight font-semibold text-text">
          {caption}
        </span>
      )}
    </span>
  );
}

const SIZE = 400;

const hasFailed = ({ complete, naturalWidth }: HTMLImageElement): boolean =>
  complete && naturalWidth === 0;

const SheetContext = createContext<readonly string[]>([]);

type SleeveSheetProps = {
  tracks: readonly Pick<Track, 'id' | 'weekNumber' | 'coverUrl'>[];
  children: ReactNode;
};

/** The drawn sleeves of a short list are parts of one file. */
export function SleeveSheet({ tracks, children }: SleeveSheetProps) {
  const drawn = tracks.filter((track) => !track.coverUrl);
  const names = new Set(
    drawn.map(({ weekNumber, id }) => sleeveName(boot.look.sleeves, weekNumber, id)),
  );
  return <SheetContext value={[...names].slice(0, MAX_ON_SHEET)}>{children}</SheetContext>;
}

/** Shows only one of the sleeves on a sheet, a pixel less on each side: Firefox shows the next one there. */
const cutOut = (index: number, count: number) => ({
  width: count * SIZE,
  height: SIZE,
  className: 'absolute -top-px max-w-none',
  style: {
    width: `calc(${count} * (100% + 2px))`,
    height: 'calc(100% + 2px)',
    left: `calc(${-index} * (100% + 2px) - 1px)`,
  },
});

/** Browsers paint a whole sheet for each sleeve they show of it, so many weeks take several sheets. */
const WEEKS_ON_SHEET = 8;

/** A week's own sleeve, for a wall of them. */
export function WeekSleeve({ week }: { week: number }) {
  const first = week - ((week - 1) % WEEKS_ON_SHEET);
  const names = Array.from({ length: WEEKS_ON_SHEET }, (_, i) => first + i)
    .filter((each) => each <= MAX_WEEK)
    .map((each) => sleeveName(boot.look.sleeves, each));
  return (
    <SheetContext value={names}>
      <Sleeve week={week} />
    </SheetContext>
  );
}

const MAX_WEEK = 53;
