import { useState } from 'react';
import { LoadFailure } from '#web/ui/loaded.tsx';

const FAILED = new Error('The picture failed to load.');

type DrawnPictureProps = {
  src: string;
  alt: string;
  size: { width: number; height: number };
};

/** The server needs a moment to draw a picture that nobody has asked for yet. */
export function DrawnPicture({ src, alt, size: { width, height } }: DrawnPictureProps) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
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
