import type { ReactNode } from 'react';
import { PosterBars, yearShape } from '#web/ui/art/poster-bars.tsx';

type GiftPosterProps = { title: string; text: string; action: ReactNode };

/** The year in colour, as it is unwrapped. */
export function GiftPoster({ title, text, action }: GiftPosterProps) {
  return (
    <div className="grid md:min-h-[calc(100dvh-var(--header)-var(--dock))] lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <div className="flex flex-col items-start gap-6 px-gutter py-8 md:justify-center md:py-12">
        <h1 className="type-title text-[68px] md:text-[88px]">{title}</h1>
        <p role="status" className="max-w-[42ch] type-lead md:text-18">
          {text}
        </p>
        {action}
      </div>
      <div className="flex h-48 items-end bg-surface pt-10 lg:h-auto lg:border-l lg:border-line lg:pt-16">
        <PosterBars bars={yearShape()} />
      </div>
    </div>
  );
}
