import { LETTER_PAGES, type LetterPage } from '#contract/letters.ts';
import { SelectField } from '#web/ui/forms/select-field.tsx';
import { PAGES } from './letter-words.ts';

type ChoiceFieldProps<Value extends string> = {
  label: string;
  hint: string;
  value: Value;
  options: readonly Value[];
  nameOf: (value: Value) => string;
  onChange: (value: Value) => void;
};

export const ChoiceField = <Value extends string>(props: ChoiceFieldProps<Value>) => (
  <SelectField
    label={props.label}
    hint={props.hint}
    value={props.value}
    options={props.options.map((value) => ({ value, label: props.nameOf(value) }))}
    onChange={({ target }) => {
      const chosen = props.options.find((each) => each === target.value);
      if (chosen) props.onChange(chosen);
    }}
  />
);

type PageFieldProps = { page: LetterPage; onChange: (page: LetterPage) => void };

export const PageField = ({ page, onChange }: PageFieldProps) => (
  <ChoiceField
    label="Who can read it on the site"
    hint="Once it is out, under Letters."
    value={page}
    options={LETTER_PAGES}
    nameOf={(each) => PAGES[each]}
    onChange={onChange}
  />
);
