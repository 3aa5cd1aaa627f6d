import type { ReactNode } from 'react';

type SwitchProps = {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
};

/** Applies immediately. The whole row can be pressed. */
export function Switch({ label, hint, checked, onCheckedChange, disabled = false }: SwitchProps) {
  return (
    <label className="group flex min-h-11 cursor-pointer items-center gap-4 has-disabled:cursor-not-allowed">
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{label}</span>
        {hint && <span className="block text-13 text-text-2">{hint}</span>}
      </span>
      <span className="relative inline-flex h-7 w-12 shrink-0 rounded-pill bg-line-strong transition-colors has-checked:bg-action has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-focus has-disabled:opacity-45">
        <input
          type="checkbox"
          role="switch"
          aria-checked={checked}
          className="peer absolute inset-0 cursor-[inherit] appearance-none rounded-pill outline-none"
          checked={checked}
          disabled={disabled}
          aria-label={label}
          onChange={(event) => onCheckedChange(event.target.checked)}
        />
        <span
          aria-hidden
          className="pointer-events-none absolute top-1 left-1 size-5 rounded-pill bg-text transition-transform peer-checked:translate-x-5 peer-checked:bg-on-action motion-reduce:transition-none"
        />
      </span>
    </label>
  );
}
