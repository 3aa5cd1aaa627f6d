import { useQuery } from '@tanstack/react-query';
import {
  CalendarDays,
  CircleUser,
  Clock,
  Disc3,
  Search,
  type IconComponent,
} from '#web/ui/icons.ts';
import {
  memo,
  useCallback,
  startTransition,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
  type RefObject,
  useEffectEvent,
} from 'react';
import { flushSync } from 'react-dom';
import { Link, useLocation } from 'wouter';
import type { SearchTerm } from '#contract/rules/search-words.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { runBetweenFrames } from '#web/lib/schedule/schedule.ts';
import { Button } from '#web/ui/button.tsx';
import { loadSleevePainter, Sleeve } from '#web/ui/art/sleeve.tsx';
import { suggestQuery } from './api.ts';
import { HighlightedText } from './highlighted-text.tsx';
import { clearRecentSearches, listRecentSearches } from './recent-searches.ts';
import {
  describeSuggestion,
  groupRecentSearches,
  groupSuggestions,
  type SuggestedTrack,
  type SuggestionGroup,
  type SuggestionOption,
} from './suggestion-options.ts';

const icons: Record<Exclude<SuggestionOption['kind'], 'track'>, IconComponent> = {
  recent: Clock,
  search: Search,
  week: CalendarDays,
  genre: Disc3,
  artist: CircleUser,
};

type SuggestionsPopupProps = { id: string; input: RefObject<HTMLInputElement | null> };

/** Under the search box: suggestions for the typed text, or recent searches. */
export function SuggestionsPopup({ id, input }: SuggestionsPopupProps) {
  const [, navigate] = useLocation();
  const { user } = useCurrentUser();
  const { typed, debounced } = useTypedText(input);
  const { data } = useQuery(suggestQuery(debounced));
  const [cleared, setCleared] = useState(0);
  const userId = user?.id;
  useEffect(() => void loadSleevePainter(), []);
  const latest = useMemo(
    () => ({
      groups: typed
        ? groupSuggestions(typed, data)
        : groupRecentSearches(listRecentSearches(userId)),
      terms: data?.terms ?? NO_TERMS,
      cleared,
    }),
    [typed, data, userId, cleared],
  );
  // Typing goes first: on a slow phone the list follows in pieces.
  const { groups, terms } = useDeferredValue(latest);
  const options = useMemo(() => groups.flatMap((group) => group.options), [groups]);
  const listId = `${id}-list`;
  const combobox = useCombobox({
    input,
    listId,
    count: options.length,
    onPick: (index) => {
      closeAndBlur();
      navigate(options[index]?.href ?? '/search');
    },
  });
  const { close } = combobox;
  const closeAndBlur = useCallback(() => {
    close();
    input.current?.blur();
  }, [close, input]);
  if (!combobox.isOpen) return null;

  function clearRecent(): void {
    if (user) clearRecentSearches(user.id);
    setCleared((count) => count + 1);
    input.current?.focus();
  }

  return (
    <div
      className="absolute inset-x-0 top-full z-50 mt-2 max-h-[min(70dvh,560px)] overflow-y-auto rounded-panel bg-overlay p-1.5 text-left shadow-overlay ring-1 ring-line md:min-w-[420px]"
      // Keep the focus in the input, or the list would close before the click.
      onPointerDown={(event) =>
        event.target instanceof Element && !event.target.closest('button') && event.preventDefault()
      }
    >
      <OptionList
        listId={listId}
        groups={groups}
        terms={terms}
        activeKey={options[combobox.activeIndex]?.key}
        onPick={closeAndBlur}
      />
      {!typed && (
        <div className="mt-1 border-t border-line px-1 pt-1.5">
          <Button variant="quiet" onClick={clearRecent}>
            Clear recent searches
          </Button>
        </div>
      )}
      <p role="status" className="sr-only">
        {formatCount(options.length, 'suggestion')}
      </p>
    </div>
  );
}

const NO_TERMS: readonly SearchTerm[] = [];

type OptionListProps = {
  listId: string;
  groups: readonly SuggestionGroup[];
  terms: readonly SearchTerm[];
  activeKey: string | undefined;
  onPick: () => void;
};

const OptionList = memo(function OptionList(props: OptionListProps) {
  const { listId, groups, terms, activeKey, onPick } = props;
  const options = groups.flatMap((group) => group.options);
  return (
    <div role="listbox" id={listId} aria-label="Suggestions">
      {groups.map((group) => (
        <div role="group" key={group.title} aria-label={group.title}>
          <div aria-hidden className="px-2.5 pt-2 pb-1 type-label">
            {group.title}
          </div>
          {/* By place: the next letter changes texts, and the elements stay. */}
          {group.options.map((option, place) => (
            <Link
              key={place}
              href={option.href}
              tabIndex={-1}
              id={optionId(listId, options.indexOf(option))}
              role="option"
              aria-selected={option.key === activeKey}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-[4px] px-2.5 hover:bg-raised aria-selected:bg-raised aria-selected:shadow-[inset_3px_0_0_var(--text)] md:min-h-10"
              onClick={onPick}
            >
              <OptionContent option={option} terms={terms} />
            </Link>
          ))}
        </div>
      ))}
    </div>
  );
});

type OptionContentProps = { option: SuggestionOption; terms: readonly SearchTerm[] };

function OptionContent({ option, terms }: OptionContentProps) {
  if (option.kind === 'track') return <TrackContent track={option.track} terms={terms} />;
  const Icon = icons[option.kind];
  return (
    <>
      <Icon className="size-[18px] shrink-0 text-text-3" />
      <span className="truncate">{option.label}</span>
    </>
  );
}

type TrackContentProps = { track: SuggestedTrack; terms: readonly SearchTerm[] };

/** The mixes change one after the other, between which a slow phone shows what is typed. */
function TrackContent({ track, terms }: TrackContentProps) {
  const [shown, setShown] = useState<TrackContentProps | null>(null);
  useEffect(
    () => runBetweenFrames(() => flushSync(() => setShown({ track, terms }))),
    [track, terms],
  );
  return shown ? <TrackText {...shown} /> : <span className="h-12" />;
}

function TrackText({ track, terms }: TrackContentProps) {
  const { id, title, weekNumber, coverUrl } = track;
  return (
    <span data-week={weekNumber} className="flex min-w-0 items-center gap-3 py-1">
      <Sleeve
        isSmall
        week={weekNumber}
        trackId={id}
        coverUrl={coverUrl}
        className="w-10 shrink-0"
      />
      <span className="min-w-0">
        <span className="block truncate font-semibold">
          <HighlightedText text={title} terms={terms} />
        </span>
        <span className="block truncate type-meta tabular">
          <HighlightedText text={describeSuggestion(track, terms)} terms={terms} />
        </span>
      </span>
    </span>
  );
}

/** Long enough to catch the next letter, too short to notice. */
const DEBOUNCE_MS = 120;

type InputRef = RefObject<HTMLInputElement | null>;

/** The trimmed text of the input: as typed, and debounced. Typing goes first: the list follows. */
function useTypedText(input: InputRef) {
  const [typed, setTyped] = useState(() => input.current?.value.trim() ?? '');
  const [debounced, setDebounced] = useState(typed);
  useEffect(() => {
    const controller = new AbortController();
    const read = () => startTransition(() => setTyped(input.current?.value.trim() ?? ''));
    for (const name of ['input', 'focus'] as const)
      input.current?.addEventListener(name, read, { signal: controller.signal });
    // Someone may have typed meanwhile.
    read();
    return () => controller.abort();
  }, [input]);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return { typed, debounced: typed === '' ? '' : debounced };
}

type Combobox = {
  input: RefObject<HTMLInputElement | null>;
  listId: string;
  /** The number of options. Without any, the list is hidden. */
  count: number;
  onPick: (index: number) => void;
};

const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/**
 * Keyboard and ARIA roles of a combobox whose list loads after its input. The focus stays in the
 * input, which names the active option.
 */
function useCombobox({ input, listId, count, onPick }: Combobox) {
  const [isRequested, setRequested] = useState(() => document.activeElement === input.current);
  const [active, setActive] = useState(-1);
  const isOpen = isRequested && count > 0;
  const activeIndex = isOpen && active < count ? active : -1;

  const show = useCallback((isShown: boolean) => {
    setRequested(isShown);
    setActive(-1);
  }, []);

  function move(to: number): void {
    setRequested(true);
    setActive(count > 0 ? (to + count) % count : -1);
  }

  /** Returns true if the list used the key. */
  function handleKey(key: string): boolean {
    const isActive = activeIndex >= 0;
    if (key === 'ArrowDown') move(isOpen ? activeIndex + 1 : 0);
    else if (key === 'ArrowUp') move(activeIndex > 0 ? activeIndex - 1 : count - 1);
    else if (key === 'Home' && isActive) move(0);
    else if (key === 'End' && isActive) move(count - 1);
    else if (key === 'Enter' && isActive) onPick(activeIndex);
    else if (key === 'Escape' && isOpen) show(false);
    else return false;
    return true;
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!handleKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });

  // Not again while it is open: every letter would render the list before the browser shows it.
  const open = useEffectEvent(() => {
    if (!isRequested || active >= 0) show(true);
  });

  // Subscribes once: doing so on each render would miss the event that caused the render.
  useEffect(() => {
    const element = input.current;
    if (!element) return;
    const { form } = element;
    const controller = new AbortController();
    const { signal } = controller;
    const close = () => show(false);
    // The input may have lost focus before this code loaded.
    if (document.activeElement !== element) close();
    element.addEventListener('keydown', (event) => onKeyDown(event), { signal });
    for (const name of ['focus', 'input', 'click'] as const)
      element.addEventListener(name, () => open(), { signal });
    form?.addEventListener('submit', close, { signal });
    form?.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) close();
      },
      { signal },
    );
    return () => controller.abort();
  }, [input, show]);

  useEffect(() => {
    const element = input.current;
    if (!element || !isOpen) return;
    element.setAttribute('aria-expanded', 'true');
    return () => element.setAttribute('aria-expanded', 'false');
  }, [input, isOpen]);

  useEffect(() => {
    const element = input.current;
    if (!element || activeIndex < 0) return;
    const id = optionId(listId, activeIndex);
    element.setAttribute('aria-activedescendant', id);
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
    return () => element.removeAttribute('aria-activedescendant');
  }, [input, activeIndex, listId]);

  const close = useCallback(() => show(false), [show]);
  return { isOpen, activeIndex, close };
}
