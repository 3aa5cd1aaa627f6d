import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import { FieldFrame, inputClass } from '#web/ui/forms/field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { TicketPercent, X } from '#web/ui/icons.ts';

type CouponFormProps = {
  /** The server's description of the code. */
  applied: { code: string; description: string } | null;
  /** The code that is applied or being checked. */
  code: string | null;
  error: string | null;
  isChecking: boolean;
  onChange: (code: string | null) => void;
};

export function CouponForm({ applied, code, error, isChecking, onChange }: CouponFormProps) {
  const [isOpen, setOpen] = useState(code !== null);
  const input = useRef<HTMLInputElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    // The field replaces the button that had the focus.
    if (isOpen && isPressed.current) input.current?.focus();
  }, [isOpen]);
  if (applied)
    return (
      <p role="status" className="flex min-h-11 items-center gap-3 rounded-field bg-raised pl-3.5">
        <TicketPercent className="size-[18px] shrink-0" />
        <span className="min-w-0 flex-1 py-2">
          <b className="font-semibold">{applied.code}</b> {applied.description}
        </span>
        <IconButton label="Remove code" onClick={() => onChange(null)}>
          <X />
        </IconButton>
      </p>
    );
  if (!isOpen)
    return (
      <button
        type="button"
        className="-mt-3 -mb-1 inline-flex min-h-11 items-center gap-2.5 self-start font-medium underline underline-offset-4"
        onClick={() => {
          isPressed.current = true;
          setOpen(true);
        }}
      >
        <TicketPercent className="size-[18px]" />
        Have a code?
      </button>
    );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = new FormData(event.currentTarget).get('coupon');
    const entered = typeof text === 'string' ? text.trim().toUpperCase() : '';
    onChange(entered === '' ? null : entered);
  }
  return (
    <form noValidate onSubmit={submit}>
      <FieldFrame label="Code" error={error ?? undefined}>
        {(control) => (
          <div className="flex gap-2">
            <input
              {...control}
              name="coupon"
              defaultValue={code ?? ''}
              ref={input}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={32}
              className={`${inputClass} uppercase`}
            />
            <Button type="submit" variant="line" aria-disabled={isChecking}>
              Apply
            </Button>
          </div>
        )}
      </FieldFrame>
    </form>
  );
}
