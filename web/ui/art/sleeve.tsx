import { useEffect, useState, type ReactNode } from 'react';

type DrawSleeve = (options: { week: number; seed: number }) => string;

let drawSleeve: DrawSleeve | undefined;
const sources = new Map<string, string>();

/** The drawing code loads separately, only on pages with sleeves. */
async function loadDrawings(): Promise<DrawSleeve> {
  const { coverArt } = await import('#contract/rules/cover-art.ts');
  drawSleeve = coverArt;
  return coverArt;
}

function drawSource(draw: DrawSleeve, week: number, seed: number): string {
  const key = `${week}/${seed}`;
  let source = sources.get(key);
  if (!source) {
    source = `data:image/svg+xml,${encodeURIComponent(draw({ week, seed }))}`;
    sources.set(key, source);
  }
  return source;
}

/** The generated sleeve as an image source; undefined until the drawing code has loaded. */
function useSleeveSource(week: number, seed: number, isNeeded: boolean): string | undefined {
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
  return isNeeded && draw ? drawSource(draw, week, seed) : undefined;
}

type SleeveProps = {
  week: number;
  /** Makes two mixes of the same week look different. */
  seed?: number;
  /** An uploaded cover, shown unchanged. */
  coverUrl?: string | null;
  /** Leave it out where the title is next to the sleeve, so that screen readers say it once. */
  title?: string;
  /** Shown while there is no image. */
  fallback?: ReactNode;
  className?: string;
};

/** A square cover. Falls back to the week's own drawing. */
export function Sleeve({
  week,
  seed = 0,
  coverUrl,
  title,
  fallback = null,
  className = '',
}: SleeveProps) {
  const [failedUrl, setFailedUrl] = useState<string>();
  const uploaded = coverUrl && coverUrl !== failedUrl ? coverUrl : undefined;
  const drawn = useSleeveSource(week, seed, !uploaded);
  const source = uploaded ?? drawn;
  return (
    <span data-week={week} className={`sleeve ${className}`}>
      {source ? (
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
      ) : (
        fallback
      )}
    </span>
  );
}

/** Placeholder for a sleeve when nothing is loaded. */
export function NoCover({ className = '' }: { className?: string }) {
  return (
    <span
      className={`sleeve grid! place-items-center bg-raised text-center text-11 leading-tight text-text-3 ${className}`}
    >
      No Cover
    </span>
  );
}
