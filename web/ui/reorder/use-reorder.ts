import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import { moveAfter } from '#contract/rules/playlists.ts';
import { watchEscape, watchPointerDrag } from './drag-pointer.ts';
import { findIdBefore, indexAtOffset, indexAfterKey, placeAt, type Drag } from './reorder.ts';

type Row = { readonly id: string; readonly title: string };
type ActiveDrag = { drag: Drag; end: () => void };

/** The indexes don't count a heading among the rows. */
type Move = {
  id: string;
  /** The row it follows; null at the top. */
  after: string | null;
  from: number;
  to: number;
  isBelowHeading: boolean;
};

type Options = {
  /** A row that is a heading: others can be moved past it. */
  headingId?: string;
  /** What is above and below it. */
  sections?: { above: string; below: string };
};

const idOf = (row: Row): string => row.id;
const hasSameIds = (some: readonly Row[], others: readonly Row[]): boolean =>
  some === others ||
  (some.length === others.length && some.every(({ id }, index) => id === others[index]?.id));
const isPickUpKey = (key: string): boolean => key === ' ' || key === 'Enter';
const rowHeightOf = (handle: HTMLElement): number =>
  handle.closest('li')?.getBoundingClientRect().height ?? 1;

/**
 * Rows that can be reordered with the pointer or the keyboard. Shows the new order as soon as a row
 * is dropped, until `base` changes; that also cancels a drag in progress.
 */
export function useReorder<R extends Row>(
  base: readonly R[],
  onMove: (move: Move) => void,
  { headingId, sections }: Options = {},
) {
  const [dragged, setDragged] = useState<{ base: readonly R[]; drag: Drag } | null>(null);
  const [shown, setShown] = useState<{ base: readonly R[]; rows: readonly R[] } | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const active = useRef<ActiveDrag | null>(null);
  const rows = shown?.base === base ? shown.rows : base;
  const drag = dragged && hasSameIds(dragged.base, base) ? dragged.drag : null;
  const ids = rows.map(idOf);

  const titleOf = (id: string) => rows.find((row) => row.id === id)?.title ?? '';
  const describePlace = (of: Drag, to: number) => {
    const { index, isBelowHeading } = placeAt(of, to);
    const section = of.heading && sections?.[isBelowHeading ? 'below' : 'above'];
    const total = ids.filter((id) => id !== headingId).length;
    return `position ${index + 1} of ${total}${section ? `, ${section}` : ''}`;
  };
  const announce = (of: Drag, action: string) =>
    setAnnouncement(`${titleOf(of.id)} ${action} ${describePlace(of, of.to)}.`);
  const buildDrag = (id: string, by: Drag['by'], handle: HTMLElement): Drag => {
    const from = ids.indexOf(id);
    const heading = list.current?.querySelector('[data-reorder-heading]');
    return {
      id,
      from,
      to: from,
      by,
      rowHeight: rowHeightOf(handle),
      heading: heading
        ? { index: ids.indexOf(headingId ?? ''), height: heading.getBoundingClientRect().height }
        : undefined,
    };
  };
  const setDrag = (next: Drag, end: () => void = () => undefined) => {
    active.current = { drag: next, end: active.current?.end ?? end };
    setDragged({ base, drag: next });
  };
  const endDrag = (): Drag | null => {
    const last = active.current;
    active.current = null;
    last?.end();
    setDragged(null);
    return last?.drag ?? null;
  };
  const moveTo = (to: number) => {
    const current = active.current?.drag;
    if (!current || current.to === to) return;
    const moved = { ...current, to };
    setDrag(moved);
    announce(moved, 'moved to');
  };
  const cancel = () => {
    const last = endDrag();
    if (last)
      setAnnouncement(
        `Cancelled. ${titleOf(last.id)} is back in position ${placeAt(last, last.from).index + 1}.`,
      );
  };
  const drop = () => {
    const last = endDrag();
    if (!last) return;
    announce(last, 'dropped at');
    if (last.to === last.from) return;
    const after = findIdBefore(ids, last);
    setShown({ base, rows: moveAfter(rows, idOf, { id: last.id, after }) });
    const { index: to, isBelowHeading } = placeAt(last, last.to);
    onMove({ id: last.id, after, from: placeAt(last, last.from).index, to, isBelowHeading });
  };

  const onPointerDown = (id: string, event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || active.current) return;
    const handle = event.currentTarget;
    // The focused row stays rendered however far the page scrolls.
    handle.focus();
    const row = handle.closest<HTMLElement>('[data-reorder-row]');
    const start = buildDrag(id, 'pointer', handle);
    const end = watchPointerDrag({
      element: handle,
      startY: event.clientY,
      // Moves the row without React; only a new index is worth a render.
      onMove: (pixels) => {
        row?.style.setProperty('--drag-offset', `${pixels}px`);
        moveTo(indexAtOffset(start, pixels, ids.length));
      },
      onDrop: drop,
      onCancel: cancel,
    });
    setDrag(start, () => {
      end();
      row?.style.removeProperty('--drag-offset');
    });
    announce(start, 'picked up from');
  };

  const onKeyDown = (id: string, event: KeyboardEvent<HTMLElement>) => {
    const current = active.current?.drag;
    if (current?.by === 'pointer') return;
    const to = current ? indexAfterKey(current, event.key, ids.length) : null;
    if (to === null && !isPickUpKey(event.key)) return;
    // The player also has shortcuts for Space and the arrows.
    event.preventDefault();
    event.stopPropagation();
    if (to !== null) return moveTo(to);
    if (current) return drop();
    const start = buildDrag(id, 'keyboard', event.currentTarget);
    setDrag(start, watchEscape(cancel));
    announce(start, 'picked up from');
  };

  useRestoreFocus(list, drag);
  useLayoutEffect(() => {
    if (drag || !active.current) return;
    active.current.end();
    active.current = null;
  });
  useEffect(() => () => active.current?.end(), []);

  return {
    list,
    rows,
    drag,
    /** For a live region. */
    announcement,
    handleProps: (id: string) => ({
      'data-handle': id,
      onPointerDown: (event: PointerEvent<HTMLElement>) => onPointerDown(id, event),
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(id, event),
      onBlur: () => active.current?.drag.by === 'keyboard' && cancel(),
    }),
  };
}

/** Keeps a row moved by keyboard in view, and restores its focus after the drop. */
function useRestoreFocus(list: RefObject<HTMLElement | null>, drag: Drag | null): void {
  const lastId = useRef<string | null>(null);
  useLayoutEffect(() => {
    const id = drag?.id ?? lastId.current;
    lastId.current = drag?.id ?? null;
    if (!id) return;
    const find = () =>
      list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(id)}"]`) ?? null;
    if (drag?.by === 'keyboard') find()?.scrollIntoView({ block: 'nearest' });
    if (!drag) restoreFocus(find, FOCUS_FRAMES);
  });
}

const FOCUS_FRAMES = 20;

/** A moved row loses the focus, and a virtual list moves its rows again a few frames later. */
function restoreFocus(find: () => HTMLElement | null, frames: number): void {
  const handle = find();
  const { activeElement } = document;
  if (activeElement === document.body) handle?.focus({ preventScroll: true });
  else if (activeElement !== handle) return;
  if (frames > 0) requestAnimationFrame(() => restoreFocus(find, frames - 1));
}
