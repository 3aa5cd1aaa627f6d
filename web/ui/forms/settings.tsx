import { useId, type ReactNode } from 'react';

/** A part of a settings page: its name on the left, or on top of a phone, its rows beside it. */
export function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-3 px-gutter pt-9 md:grid-cols-[200px_minmax(0,680px)] md:pt-12"
    >
      <h2 id={id} className="type-section md:pt-4">
        {title}
      </h2>
      <div className="min-w-0 border-b border-line">{children}</div>
    </section>
  );
}

type SettingRowProps = {
  /** Absent where the control brings its own label. */
  label?: string;
  hint?: ReactNode;
  children?: ReactNode;
};

/** What is set, in words, and the control at its end; below the words on a phone. */
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
