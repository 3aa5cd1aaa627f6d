import type { ReactNode } from 'react';

type PageHeadProps = {
  title: string;
  /** One or two sentences next to the title. */
  lead?: ReactNode;
  /** A control at the end, such as a button. */
  end?: ReactNode;
};

export function PageHead({ title, lead, end }: PageHeadProps) {
  return (
    <header className="flex flex-wrap items-end gap-x-7 gap-y-2.5 px-gutter pt-5 md:pt-9">
      <h1 className="type-title text-[68px] break-words md:text-[88px]">{title}</h1>
      {lead && <div className="max-w-[52ch] pb-1 text-text-2">{lead}</div>}
      {end && <div className="ml-auto">{end}</div>}
    </header>
  );
}

/** The heading of a section, with a link or a control at its end. */
export function SectionHead({ title, end, id }: { title: string; end?: ReactNode; id?: string }) {
  return (
    <div className="mb-1.5 flex min-h-11 items-center justify-between gap-4 md:mb-3 md:min-h-10">
      <h2 {...(id && { id })} className="type-section">
        {title}
      </h2>
      {end}
    </div>
  );
}
