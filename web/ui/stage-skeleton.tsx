import { useThisWeek } from '#web/lib/format/use-this-week.ts';
import { NumeralSkeleton, Skeleton, WaveformSkeleton } from './skeleton.tsx';
import { fitTitle } from './title-fit.ts';

export const stageClass =
  'stage grid grid-cols-[auto_minmax(0,1fr)] gap-x-[18px] px-gutter pt-3.5 pb-[18px] @3xl/content:gap-x-8 @3xl/content:pt-[30px] @3xl/content:pb-7 @5xl/content:gap-x-11';
export const columnsClass =
  'contents @3xl/content:grid @3xl/content:grid-cols-[minmax(0,1fr)_auto] @3xl/content:gap-x-6 @5xl/content:gap-x-8';
export const rowsClass = '@3xl/content:grid-rows-[auto_1fr] @3xl/content:gap-y-[22px]';
export const textClass =
  '@container flex flex-col items-start @max-3xl/content:order-1 @max-3xl/content:col-span-full @max-3xl/content:mt-[18px]';
export const titleClass =
  'my-2.5 type-display title-fit [--title-max:2.875rem] @lg/content:my-3.5 @lg/content:[--title-max:4.5rem] @double/content:[--title-max:7rem]';
export const sleeveClass = 'stage-sleeve self-end @3xl/content:self-start';
export const waveformClass =
  'col-span-full min-h-[76px] self-end md:min-h-[92px] @max-3xl/content:order-2 @max-3xl/content:mt-[18px]';
export const NUMERAL_SIZE = 'clamp(246px, 50cqi, max(496px, 28cqi))';
export const numeralClass = '-ml-[0.012em] self-end';

/** The stage before its mix has loaded. */
export function StageSkeleton() {
  return (
    <div data-week={useThisWeek().week} className={stageClass}>
      <NumeralSkeleton size={NUMERAL_SIZE} className={numeralClass} />
      <div className={`${columnsClass} ${rowsClass}`}>
        <div className={textClass}>
          <Skeleton className="h-[1lh] w-40 type-kicker" />
          <Skeleton style={fitTitle('Golden Hour')} className={`h-[1lh] w-4/5 ${titleClass}`} />
          <Skeleton className="h-[1lh] w-44 type-meta" />
          <Skeleton className="mt-4 size-[76px] rounded-pill! @3xl/content:mt-auto" />
        </div>
        <Skeleton className={`aspect-square ${sleeveClass}`} />
        <WaveformSkeleton className={`h-[76px] md:h-[92px] ${waveformClass}`} />
      </div>
    </div>
  );
}
