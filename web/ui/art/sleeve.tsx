import { useEffect, useState, type ReactNode } from 'react';

type DrawSleeve = (options: { week: number; seed: number }) => string;

let drawSleeve: DrawSleeve | undefined;
const sources = new Map<string, string>();

/** The drawings arrive in a chunk of their own: a page without sleeves does not pay for them. */
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

/** The generated sleeve as an image source; undefined until the drawings have arrived. */
function useSleeveSource(week: number, seed: number, isNeeded: boolean): string | undefined {
  const [draw, setDraw] = useState(() => drawSleeve);
  useEffect(() => {
    if (draw || !isNeeded) return;
    let isGone = false;
    void loadDrawings().then(
      (loaded) => !isGone && setDraw(() => loaded),
      // Without its drawings a sleeve stays a plain square in the week's colour.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [draw, isNeeded]);
  return isNeeded && draw ? drawSource(draw, week, seed) : undefined;
}

type SleeveProps = {
  week: number;
  /** Tells two mixes of the same week apart. */
  seed?: number;
  /** An uploaded cover; it is shown as it is, never tinted. */
  coverUrl?: string | null;
  /** Leave it out where the title stands beside the sleeve, so that it is not read twice. */
  title?: string;
  /** Stands there while there is nothing to show. */
  fallback?: ReactNode;
  className?: string;
};

/** A square cover. Without an image, or when the image fails, the week's own drawing. */
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

/** Stands where a sleeve will be while nothing is loaded. */
export function NoCover({ className = '' }: { className?: string }) {
  return (
    <span
      className={`sleeve grid! place-items-center bg-raised text-center text-11 leading-tight text-text-3 ${className}`}
    >
      No Cover
    </span>
  );
}
