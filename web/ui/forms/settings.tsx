import { useId, type ReactNode } from 'react';
import { Tag } from '../tag.tsx';

/** The sections of a settings page; in a very wide window in two columns. */
export const SettingsColumns = ({ children }: { children: ReactNode }) => (
  <div className="@double/content:columns-2 @double/content:gap-0">{children}</div>
);

/** A link on this site doesn't load the page, so the browser doesn't look for the section. */
export const showIfLinked = (section: HTMLElement | null): void => {
  if (section && location.hash === `#${section.id}`) section.scrollIntoView();
};

/** A section of a settings page: title on the left (on top on phones), rows next to it. */
export function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid break-inside-avoid gap-x-10 gap-y-3 px-gutter pt-9 @5xl/content:grid-cols-[200px_minmax(0,680px)] @5xl/content:pt-12 @double/content:grid-cols-[320px_minmax(0,960px)]"
    >
      <h2 id={id} className="type-section @5xl/content:pt-4">
        {title}
      </h2>
      <div className="min-w-0 border-b border-line">{children}</div>
    </section>
  );
}

type SettingRowProps = {
  /** Leave it out when the control has its own label. */
  label?: string;
  hint?: ReactNode;
  /** A connection to something else says whether it is on. */
  isOn?: boolean;
  children?: ReactNode;
};

/** A label with its control at the end, or below it on phones. */
export function SettingRow({ label, hint, isOn, children }: SettingRowProps) {
  if (!label) return <div className="border-t border-line py-3">{children}</div>;
  return (
    <div className="flex flex-col gap-x-6 gap-y-3 border-t border-line py-4 @2xl/content:flex-row @2xl/content:items-center @2xl/content:justify-between">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2.5">
          <h3 className="font-medium">{label}</h3>
          {isOn !== undefined && <Tag>{isOn ? 'On' : 'Off'}</Tag>}
        </div>
        {hint && <div className="text-13 text-text-2">{hint}</div>}
      </div>
      {children && <div className="shrink-0">{children}</div>}
    </div>
  );
}
