import type { ReactNode } from 'react';
import type { z } from 'zod';
import { parseForm, type FieldErrors } from '#web/ui/forms/parse-form.ts';
import { Form } from '#web/ui/forms/form.tsx';

type AccountFormProps<S extends z.ZodType> = {
  /** Or a function that loads it when someone fills in the form. */
  schema: S | (() => Promise<S>);
  submitLabel: string;
  isDestructive?: boolean;
  /** Throws if the server rejects it; field errors show at their fields. */
  onSubmit: (data: z.output<S>) => Promise<unknown>;
  /** The message when the server gives no reason, or a function that finds the message. */
  failed: string | ((error: unknown) => string);
  children: (errors: FieldErrors) => ReactNode;
};

/** Validates with the server's own rules before sending, then shows the server's errors. */
export function AccountForm<S extends z.ZodType>({
  schema,
  submitLabel,
  isDestructive = false,
  onSubmit,
  failed,
  children,
}: AccountFormProps<S>) {
  const loadSchema = async () => (typeof schema === 'function' ? schema() : schema);
  return (
    <Form
      parse={async (form) => parseForm(await loadSchema(), form)}
      onSubmit={onSubmit}
      failed={failed}
      // If that fails, submitting tries again.
      onInput={() => void loadSchema().catch(() => undefined)}
      submitLabel={submitLabel}
      button={{ size: 'lg', isBlock: true, variant: isDestructive ? 'danger' : 'primary' }}
    >
      {children}
    </Form>
  );
}
