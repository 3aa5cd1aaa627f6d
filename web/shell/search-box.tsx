import { Search } from '#web/ui/icons.ts';
import { Suspense, useEffect, useRef, useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { reloadableLazy } from '#web/lib/schedule/lazy-component.ts';

const SEARCH_PLACEHOLDER = 'Search for tracks, week numbers...';

/** Loads with the first focus, not with the page. The box also works without it. */
const suggestions = reloadableLazy(
  () => import('#web/features/search/suggestions-popup.tsx'),
  'SuggestionsPopup',
);

/** Opens the results page, unless the query is empty. */
export function SearchBox({ id }: { id: string }) {
  const [location, navigate] = useLocation();
  const query = useQueryParam('q');
  const input = useRef<HTMLInputElement>(null);
  const [isSuggesting, setSuggesting] = useState(false);
  const shownQuery = location === '/search' ? (query ?? '') : '';

  // What was typed before the page came alive stays.
  const lastQuery = useRef(shownQuery);
  useEffect(() => {
    if (!input.current || lastQuery.current === shownQuery) return;
    lastQuery.current = shownQuery;
    input.current.value = shownQuery;
  }, [shownQuery]);
  useEffect(() => {
    if (document.activeElement === input.current) setSuggesting(true);
  }, []);

  function submit(event: FormEvent) {
    event.preventDefault();
    const typed = input.current?.value.trim();
    if (typed) navigate(`/search?q=${encodeURIComponent(typed)}`);
  }

  return (
    <form
      role="search"
      action="/search"
      onSubmit={submit}
      className="relative w-full max-w-[420px]"
    >
      <label htmlFor={id} className="sr-only">
        Search
      </label>
      <Search className="pointer-events-none absolute top-1/2 left-3 size-[18px] -translate-y-1/2 text-text-3" />
      <input
        ref={input}
        id={id}
        name="q"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded="false"
        aria-controls={`${id}-list`}
        enterKeyHint="search"
        autoComplete="off"
        maxLength={200}
        defaultValue={shownQuery}
        placeholder={SEARCH_PLACEHOLDER}
        onFocus={() => setSuggesting(true)}
        className="peer search-field"
      />
      <kbd aria-hidden className="search-key">
        /
      </kbd>
      {isSuggesting && (
        <ErrorBoundary fallback={null} onError={() => suggestions.reload()}>
          <Suspense fallback={null}>
            <suggestions.Part id={id} input={input} />
          </Suspense>
        </ErrorBoundary>
      )}
    </form>
  );
}
