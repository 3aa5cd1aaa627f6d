import { useEffect, useState, type ReactNode } from 'react';

type Sleeve = { week: number; trackId?: string | undefined };
type DrawSleeve = (sleeve: Sleeve) => string;

let drawSleeve: DrawSleeve | undefined;
const sources = new Map<string, string>();

/** The drawing code loads separately, only on pages with sleeves. */
async function loadDrawings(): Promise<DrawSleeve> {
  const { coverArt } = await import('#contract/rules/cover-art.ts');
  drawSleeve = coverArt;
  return coverArt;
}

function drawSource(draw: DrawSleeve, { week, trackId }: Sleeve): string {
  const key = `${week}/${trackId ?? ''}`;
  let source = sources.get(key);
  if (!source) {
    source = `data:image/svg+xml,${encodeURIComponent(draw({ week, trackId }))}`;
    sources.set(key, source);
  }
  return source;
}

/** The generated sleeve as an image source; undefined until the drawing code has loaded. */
function useSleeveSource(sleeve: Sleeve, isNeeded: boolean): string | undefined {
  const [draw, setDraw] = useState(() => drawSleeve);
  useEffect(() => {
    if (draw || !isNeeded) return;
    let isUnmounted = false;
    void loadDrawings().then(
      (loaded) => !isUnmounted && setDraw(() => loaded),
      // Without the drawing code, a sleeve stays a plain square in the week's colour.
      () => undefined,
    );
    return () => {
      isUnmounted = true;
    };
  }, [draw, isNeeded]);
  return isNeeded && draw ? drawSource(draw, sleeve) : undefined;
}

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
  className?: string;
};

/** A square cover. Without an uploaded one it is drawn. */
export function Sleeve({ week, trackId, coverUrl, title, caption, className = '' }: SleeveProps) {
  const [failedUrl, setFailedUrl] = useState<string>();
  const uploaded = coverUrl && coverUrl !== failedUrl ? coverUrl : undefined;
  const drawn = useSleeveSource({ week, trackId }, !uploaded);
  const source = uploaded ?? drawn;
  return (
    <span data-week={week} className={`sleeve ${className}`}>
      {source && (
        <img
          src={source}
          alt={title ? `Cover of ${title}` : ''}
          width={400}
          height={400}
          loading="lazy"
          decoding="async"
          draggable={false}
          className="size-full object-cover"
          onError={() => uploaded && setFailedUrl(uploaded)}
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
