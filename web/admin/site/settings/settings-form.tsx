import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { z } from 'zod';
import { SettingValues, type SettingName, type SiteSettings } from '#contract/admin/settings.ts';
import { ApiError, call } from '#web/lib/api/api.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Form } from '#web/ui/forms/form.tsx';
import { parseValues, type FieldErrors } from '#web/ui/forms/parse-form.ts';
import { useUnsavedChanges } from '#web/ui/forms/unsaved-changes.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { siteSettingsQuery } from './api.ts';
import { ChangesBar } from './changes-bar.tsx';
import { describeChange, parseValue, toTyped, type TypedSettings } from './setting-fields.ts';
import { listFields, type SettingPage } from './setting-pages.ts';
import { SettingsSkeleton } from './settings-skeleton.tsx';

type SettingsDraft = {
  settings: SiteSettings;
  /** As they are saved, with what is being typed. */
  typed: TypedSettings;
  errors: FieldErrors;
  change: <Name extends SettingName>(name: Name, value: TypedSettings[Name]) => void;
};

const DraftContext = createContext<SettingsDraft | null>(null);

/** What is typed into the form of settings around it. */
export function useSettingsDraft(): SettingsDraft {
  const draft = use(DraftContext);
  if (!draft) throw new Error('A setting needs a SettingsForm around it.');
  return draft;
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const pick = (typed: TypedSettings, names: readonly SettingName[]): Partial<TypedSettings> =>
  Object.fromEntries(names.map((name) => [name, typed[name]]));

const ChangedSettings = SettingValues.partial();
type SettingsChange = z.output<typeof ChangedSettings>;

const patch = (version: number, values: SettingsChange): Promise<SiteSettings> =>
  call('PATCH /api/admin/settings', { body: { version, values } });

const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'settings_changed';

/** Someone else’s change of other settings, on another page, is no conflict. */
async function save(settings: SiteSettings, values: SettingsChange): Promise<SiteSettings> {
  try {
    return await patch(settings.version, values);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const current = await call('GET /api/admin/settings');
    const names = Object.keys(values) as SettingName[];
    if (names.some((name) => !isSame(current.values[name], settings.values[name]))) throw error;
    return patch(current.version, values);
  }
}

/** The server prefixes field names with `values.`, and names the part of a list. */
const removePrefix = (fields: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name.replace(/^values\.(\w+).*$/, '$1'), text]),
  );

type SettingsFormProps = {
  page: SettingPage;
  /** The fields, which read `useSettingsDraft`. */
  children: ReactNode;
  /** What else follows from new settings. */
  onSaved?: ((saved: SiteSettings) => void) | undefined;
  skeleton?: ReactNode;
};

/** The settings of a page, with a bar that says what changed and saves it. */
export function SettingsForm(props: SettingsFormProps) {
  return (
    <Loaded
      query={useQuery(siteSettingsQuery)}
      failed="Couldn’t load settings."
      skeleton={props.skeleton ?? <SettingsSkeleton page={props.page} />}
    >
      {(settings) => <LoadedForm {...props} settings={settings} />}
    </Loaded>
  );
}

function LoadedForm({
  page,
  settings,
  onSaved,
  children,
}: SettingsFormProps & { settings: SiteSettings }) {
  const client = useQueryClient();
  const [changes, setChanges] = useState<Partial<TypedSettings>>({});
  const before = toTyped(settings.values);
  const typed = { ...before, ...changes };
  const names = listFields(page).filter((name) => !settings.fixed.includes(name));
  const changed = names.filter((name) => !isSame(typed[name], before[name]));
  const unsaved = useUnsavedChanges({
    name: `settings/${page}`,
    form: pick(typed, names),
    before: pick(before, names),
    onRestore: (restored) => setChanges({ ...changes, ...restored }),
  });
  const form = useRef<HTMLFormElement>(null);
  /** The bar disappears, and with it the button that had the focus. */
  function changeAndReturnFocus(change: () => void): void {
    const name = changed.at(-1);
    flushSync(change);
    if (document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  }

  async function submit(values: SettingsChange): Promise<void> {
    if (changed.length === 0) return;
    const sent = changes;
    const saved = await save(settings, values);
    unsaved.clear();
    client.setQueryData(siteSettingsQuery.queryKey, saved);
    // Someone may have typed on while it was being saved.
    changeAndReturnFocus(() =>
      setChanges((current) =>
        Object.fromEntries(
          Object.entries(current).filter(
            ([name, value]) => !isSame(value, sent[name as SettingName]),
          ),
        ),
      ),
    );
    showToast({ title: 'Settings saved' });
    onSaved?.(saved);
  }

  function discard(): void {
    const discarded = changes;
    changeAndReturnFocus(() => setChanges({}));
    showToast({
      title: 'Changes discarded',
      undo: { run: async () => setChanges((current) => ({ ...discarded, ...current })) },
    });
  }

  return (
    <Form
      ref={form}
      className="flex min-w-0 flex-col gap-9 [&_:is(input,textarea,select)]:scroll-mb-[calc(var(--dock)+9rem)]"
      notice={unsaved.notice}
      submitLabel="Save"
      busyLabel="Saving…"
      parse={() =>
        parseValues(
          ChangedSettings,
          Object.fromEntries(changed.map((name) => [name, parseValue(name, typed)])),
        )
      }
      onSubmit={submit}
      failed="Couldn’t save the settings."
      renderFailure={(error) =>
        isConflict(error) && (
          <button type="button" onClick={() => void client.refetchQueries(siteSettingsQuery)}>
            Load current settings
          </button>
        )
      }
      toFieldErrors={removePrefix}
      renderSubmit={(button, failure) => (
        <ChangesBar
          changes={changed.map((name) => describeChange(name, before, typed))}
          failure={failure}
        >
          <Button variant="quiet" onClick={discard}>
            Discard
          </Button>
          {button}
        </ChangesBar>
      )}
    >
      {(errors) => (
        <DraftContext
          value={{
            settings,
            typed,
            errors,
            change: (name, value) => setChanges((current) => ({ ...current, [name]: value })),
          }}
        >
          {children}
        </DraftContext>
      )}
    </Form>
  );
}
