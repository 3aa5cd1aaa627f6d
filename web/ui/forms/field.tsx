import { CircleAlert, Eye, EyeOff, Search } from '../icons.ts';
import { useId, useState, type ComponentProps, type ReactNode } from 'react';

/** Connects a control to its label, hint and error for screen readers. */
type FieldControl = {
  id: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
};

type FieldFrameProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  className?: string;
  children: (control: FieldControl) => ReactNode;
};

export const inputClass =
  'h-11 w-full rounded-field border border-line-strong bg-bg px-3.5 text-16 transition-colors hover:border-text-2 focus-visible:outline-offset-1 disabled:opacity-45 aria-invalid:border-danger md:text-14';

/** Puts the label above and the hint or error below any control. */
export function FieldFrame({ label, hint, error, className = '', children }: FieldFrameProps) {
  const id = useId();
  const messageId = `${id}-message`;
  const control: FieldControl = {
    id,
    ...(error && { 'aria-invalid': true as const }),
    ...((error || hint) && { 'aria-describedby': messageId }),
  };
  return (
    <div className={`grid w-full grid-cols-1 gap-1.5 ${className}`}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children(control)}
      {error ? (
        <p id={messageId} className="flex items-start gap-1.5 text-13 text-danger">
          <CircleAlert className="mt-px size-4 shrink-0" />
          {error}
        </p>
      ) : (
        hint && (
          <p id={messageId} className="text-13 text-text-3">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

type FieldProps = Omit<ComponentProps<'input'>, 'id'> &
  Pick<FieldFrameProps, 'label' | 'hint' | 'error'>;

export function Field({ label, hint, error, className, ...input }: FieldProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error} {...(className && { className })}>
      {(control) => <input className={inputClass} {...input} {...control} />}
    </FieldFrame>
  );
}

type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, 'id'> &
  Pick<FieldFrameProps, 'label' | 'hint' | 'error'>;

/** `className` is that of the text area. */
export function TextAreaField({ label, hint, error, className = '', ...area }: TextAreaFieldProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(control) => (
        <textarea className={`${inputClass} h-auto py-2.5 ${className}`} {...area} {...control} />
      )}
    </FieldFrame>
  );
}

type SearchFieldProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  /** For screen readers only. */
  label: string;
  onChange: (text: string) => void;
};

/** Narrows a list while someone types. `className` is that of the frame. */
export const SearchField = ({ label, className = '', onChange, ...input }: SearchFieldProps) => (
  <span className={`relative ${className}`}>
    <Search className="pointer-events-none absolute top-3 left-3.5 size-5 text-text-3" />
    <input
      type="search"
      aria-label={label}
      className={`${inputClass} pl-11`}
      onChange={(event) => onChange(event.target.value)}
      {...input}
    />
  </span>
);

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & { label: string };

export const Checkbox = ({ label, ...input }: CheckboxProps) => (
  <label className="flex min-h-11 items-center gap-3">
    <input type="checkbox" className="size-5 shrink-0" {...input} />
    {label}
  </label>
);

/** The eye button reveals the password, because people mistype on phones. */
export function PasswordField({
  label,
  hint,
  error,
  className,
  ...input
}: Omit<FieldProps, 'type'>) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <FieldFrame label={label} hint={hint} error={error} {...(className && { className })}>
      {(control) => (
        <div className="relative">
          <input
            className={`${inputClass} pr-12`}
            spellCheck={false}
            autoCapitalize="none"
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
          />
          <button
            type="button"
            aria-label={isShown ? 'Hide password' : 'Show password'}
            onClick={() => setIsShown(!isShown)}
            className="absolute top-0 right-0 grid size-11 place-items-center rounded-field text-text-2 hover:text-text focus-visible:-outline-offset-4"
          >
            <Icon className="size-5" />
          </button>
        </div>
      )}
    </FieldFrame>
  );
}
