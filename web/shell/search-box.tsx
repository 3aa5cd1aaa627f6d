import { Search, X } from '#web/ui/icons.ts';
import { Suspense, useEffect, useRef, useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { reloadableLazy } from '#web/lib/schedule/lazy-component.ts';
import { flushSync } from 'react-dom';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useBackCloses } from '#web/ui/overlays/back-closes.ts';

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

const findBox = (): HTMLInputElement | undefined =>
  [...document.querySelectorAll<HTMLInputElement>('[role=search] input')].find((box) =>
    box.checkVisibility(),
  );

/** The search in the header. On a phone a button opens its box; the `/` key presses it on any screen. */
export function useHeaderSearch() {
  const [location] = useLocation();
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const isOpen = openedOn === location;
  // Coming back must not open it again.
  if (openedOn && !isOpen) setOpenedOn(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpenedOn(null);
    opener.current?.focus({ preventScroll: true });
  };
  const open = () => {
    // Synchronously: a phone only shows its keyboard if the tap itself moves the focus.
    if (!findBox()) flushSync(() => setOpenedOn(location));
    const box = findBox();
    box?.focus();
    box?.select();
  };
  useBackCloses(isOpen, close);
  return {
    box: { isOpen, close },
    buttonProps: { id: 'open-search', ref: opener, 'aria-expanded': isOpen, onClick: open },
  };
}

/** Always visible on wide screens; on a phone it covers the header while it is open. */
export function HeaderSearchBox({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  return (
    <div
      className={`header-search ${isOpen ? 'max-md:flex' : 'max-md:hidden'}`}
      onKeyDownCapture={(event) => {
        if (!isOpen || event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <SearchBox id="header-search" />
      <IconButton label="Close search" className="md:hidden" onClick={close}>
        <X className="size-5" />
      </IconButton>
    </div>
  );
}
