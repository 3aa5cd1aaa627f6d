import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Field } from '#web/ui/forms/field.tsx';
import { catalogueFacetsQuery } from './api.ts';

type SeriesFieldProps = {
  value: string;
  error: string | undefined;
  onChange: (series: string) => void;
};

/** The name of a series; those of other mixes are suggested. */
export function SeriesField({ value, error, onChange }: SeriesFieldProps) {
  const listId = useId();
  const { data: facets } = useQuery(catalogueFacetsQuery);
  return (
    <>
      <Field
        label="Series"
        name="series"
        hint="Mixes with the same name form a series."
        list={listId}
        maxLength={60}
        autoComplete="off"
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={listId}>
        {facets?.series.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
