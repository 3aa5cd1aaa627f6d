import { useId, type ReactNode } from 'react';

/** A section of a settings page: title on the left (on top on phones), rows next to it. */
export function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-3 px-gutter pt-9 xl:grid-cols-[200px_minmax(0,680px)] xl:pt-12"
    >
      <h2 id={id} className="type-section xl:pt-4">
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
  children?: ReactNode;
};

/** A label with its control at the end, or below it on phones. */
export function SettingRow({ label, hint, children }: SettingRowProps) {
  if (!label) return <div className="border-t border-line py-3">{children}</div>;
  return (
    <div className="flex flex-col gap-x-6 gap-y-3 border-t border-line py-4 md:flex-row md:items-center md:justify-between">
      <div className="min-w-0">
        <h3 className="font-medium">{label}</h3>
        {hint && <div className="text-13 text-text-2">{hint}</div>}
      </div>
      {children && <div className="shrink-0">{children}</div>}
    </div>
  );
}
