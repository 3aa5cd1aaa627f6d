import type { ReactNode } from 'react';
import { fitTitle } from './title-fit.ts';

type PageHeadProps = {
  title: string;
  /** One or two sentences next to the title. */
  lead?: ReactNode;
  /** A control at the end, such as a button. */
  end?: ReactNode;
};

export function PageHead({ title, lead, end }: PageHeadProps) {
  return (
    <header className="flex flex-wrap items-end gap-x-7 gap-y-2.5 px-gutter pt-5 @lg/content:pt-9">
      <h1
        style={fitTitle(title)}
        className="type-title title-fit [--title-max:4.25rem] [--title-room:calc(100cqi-2*var(--gutter))] @lg/content:[--title-max:5.5rem] @double/content:[--title-max:7rem]"
      >
        {title}
      </h1>
      {lead && <div className="max-w-[52ch] pb-1 text-text-2 @max-lg/content:w-full">{lead}</div>}
      {end && <div className="ml-auto">{end}</div>}
    </header>
  );
}

/** The heading of a section, with a link or a control at its end. */
export function SectionHead({ title, end, id }: { title: string; end?: ReactNode; id?: string }) {
  return (
    <div className="mb-1.5 flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 @lg/content:mb-3">
      <h2 {...(id && { id })} className="type-section">
        {title}
      </h2>
      {end}
    </div>
  );
}
