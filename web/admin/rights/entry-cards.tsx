import { useId, type ComponentProps } from 'react';
import { formatDuration } from '#contract/rules/time.ts';
import { ChevronDown } from '#web/ui/icons.ts';
import { Checkbox, Field } from '#web/ui/forms/field.tsx';
import { EntryAbout } from './entry-about.tsx';
import { cleanValue, FIELDS, type Change, type FieldName, type Line, type Row } from './sheet.ts';
import { COLUMN_LABELS, describeGaps, FIELD_HINTS } from './words.ts';

type FieldInputsProps = {
  values: Row['values'];
  errors: Line['errors'];
  onType: (field: FieldName, value: string) => void;
  /** Once a field is left. */
  onLeave?: (field: FieldName, value: string) => void;
  inputProps?: (field: FieldName) => ComponentProps<'input'>;
};

/** The fields of a recording below each other. */
export const FieldInputs = (props: FieldInputsProps) =>
  FIELDS.map((field) => {
    const { values, errors, onType, onLeave, inputProps } = props;
    const own = inputProps?.(field);
    if (field === 'isOwn')
      return (
        <Checkbox
          key={field}
          label="Own production"
          name={field}
          checked={values.isOwn === 'Yes'}
          onChange={({ target }) => onType(field, target.checked ? 'Yes' : '')}
          {...own}
        />
      );
    return (
      <Field
        key={field}
        label={COLUMN_LABELS[field]}
        name={field}
        hint={FIELD_HINTS[field]}
        error={errors[field]}
        value={values[field]}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onType(field, target.value)}
        onBlur={({ target }) => onLeave?.(field, target.value)}
        {...own}
      />
    );
  });

type EntryCardsProps = {
  lines: readonly Line[];
  /** The entry whose form is open. */
  open: number | null;
  onOpen: (row: number | null) => void;
  onType: (typed: Change) => void;
  /** The field that was typed in is left. */
  onLeave: () => void;
  onAccept: (row: number) => void;
  onSeparate: (row: number, isSeparate: boolean) => void;
};

/** The entries on a phone: a row for each, which opens its form. */
export function EntryCards(props: EntryCardsProps) {
  const { lines, open, onOpen, onType, onAccept, onSeparate } = props;
  const id = useId();
  return (
    <ol aria-label="Tracks" className="rounded-panel bg-surface">
      {lines.map((line, index) => {
        const { entry, row, gaps, errors } = line;
        const wrong = FIELDS.filter((field) => errors[field]);
        const isOpen = open === index;
        return (
          <li key={index} className="border-t border-line first:border-0">
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={`${id}-${index}`}
              onClick={() => onOpen(isOpen ? null : index)}
              className="flex min-h-16 w-full items-center gap-3 px-4 py-2.5 text-left focus-visible:-outline-offset-2"
            >
              <span className="w-12 shrink-0 text-13 text-text-3 tabular-nums">
                {entry.at === null ? '–' : formatDuration(entry.at)}
              </span>
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="block font-semibold">{entry.title}</span>
                {entry.artist && <span className="block text-13 text-text-2">{entry.artist}</span>}
                <span
                  className={`block text-13 ${wrong.length > 0 ? 'text-danger' : 'text-text-3'}`}
                >
                  {wrong.length > 0
                    ? `To correct: ${wrong.map((field) => COLUMN_LABELS[field]).join(', ')}`
                    : describeGaps(gaps)}
                </span>
              </span>
              <ChevronDown
                className={`size-5 shrink-0 text-text-3 transition-transform ${isOpen ? 'rotate-180' : ''}`}
              />
            </button>
            <div id={`${id}-${index}`} hidden={!isOpen} className="px-4 pb-5">
              {isOpen && (
                <div role="group" aria-label={entry.title} className="grid gap-4">
                  <EntryAbout
                    line={line}
                    onAccept={() => onAccept(index)}
                    onSeparate={(isSeparate) => onSeparate(index, isSeparate)}
                  />
                  <FieldInputs
                    values={row.values}
                    errors={errors}
                    onType={(field, value) => onType({ row: index, field, value })}
                    onLeave={(field, value) => {
                      onType({ row: index, field, value: cleanValue(field, value) });
                      props.onLeave();
                    }}
                  />
                </div>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
