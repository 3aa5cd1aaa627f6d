import type { ComponentProps } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ApiError } from '#web/lib/api/api.ts';
import { Loaded, LoadedTogether } from './loaded.tsx';

const error = new ApiError(
  503,
  JSON.stringify({ code: 'provider_unavailable', message: 'The provider is away.' }),
);
const missing = { title: 'Not found', text: 'It is gone.' };

function show(query: { data?: string; error?: Error }): string {
  return renderToStaticMarkup(
    <Loaded
      query={{ data: undefined, error: null, refetch: () => undefined, ...query }}
      failed="Couldn’t load it"
      missing={missing}
      renderRefusal={({ status }) => status === 403 && <p>Refused</p>}
      skeleton={<p>Loading</p>}
    >
      {(data) => <p>{data}</p>}
    </Loaded>,
  );
}

it('shows the skeleton until there is something to show', () => {
  expect(show({})).toBe('<p>Loading</p>');
  expect(show({ data: 'Here' })).toBe('<p>Here</p>');
});

it('says what failed and why, and offers to try again', () => {
  const failure = show({ error });
  expect(failure).toContain('Couldn’t load it');
  expect(failure).toContain('The provider is away.');
  expect(failure).toContain('Try again</button>');
});

it('keeps what was loaded when a later load fails', () => {
  expect(show({ data: 'Here', error })).toBe('<p>Here</p>');
  expect(show({ data: 'Here', error: new ApiError(403, '') })).toBe('<p>Here</p>');
});

it('shows a refusal, and what is gone even after it was loaded', () => {
  expect(show({ error: new ApiError(403, '') })).toBe('<p>Refused</p>');
  expect(show({ data: 'Here', error: new ApiError(404, '') })).toContain('It is gone.');
});

it('shows lists together, once each has loaded or failed', () => {
  const query = { data: undefined, error: null, refetch: () => undefined };
  const showBeside = (other: ComponentProps<typeof LoadedTogether>['queries'][number]) =>
    renderToStaticMarkup(
      <LoadedTogether queries={[{ ...query, data: 'Here' }, other]} skeleton={<p>Loading</p>}>
        <p>All</p>
      </LoadedTogether>,
    );
  expect(showBeside(query)).toBe('<p>Loading</p>');
  expect(showBeside({ ...query, data: 'There' })).toBe('<p>All</p>');
  expect(showBeside({ ...query, error })).toBe('<p>All</p>');
});
