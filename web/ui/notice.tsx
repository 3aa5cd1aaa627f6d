import { CircleAlert, CircleCheck, TriangleAlert, type IconComponent } from './icons.ts';
import type { ReactNode } from 'react';

type Tone = 'danger' | 'warning' | 'success';

const icons: Record<Tone, IconComponent> = {
  danger: CircleAlert,
  warning: TriangleAlert,
  success: CircleCheck,
};
const colours: Record<Tone, string> = {
  danger: 'text-danger',
  warning: 'text-warning',
  success: 'text-success',
};

type NoticeProps = {
  tone: Tone;
  title: string;
  /** What still works, and what to do next. */
  children?: ReactNode;
  /** Buttons below the text. */
  actions?: ReactNode;
  icon?: IconComponent;
  className?: string;
};

/** Never relies on colour alone: there is always an icon and a title. */
export function Notice({ tone, title, children, actions, icon, className = '' }: NoticeProps) {
  const Icon = icon ?? icons[tone];
  return (
    <div
      role={tone === 'success' ? 'status' : 'alert'}
      className={`flex w-full items-start gap-3 rounded-panel bg-raised px-4 py-3.5 ${className}`}
    >
      <Icon className={`size-5 shrink-0 ${colours[tone]}`} />
      <div className="min-w-0">
        <strong className="font-semibold">{title}</strong>
        {children && (
          <div className="text-text-2 [&_a]:text-text [&_a]:underline [&_button]:text-text [&_button]:underline">
            {children}
          </div>
        )}
        {actions && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
