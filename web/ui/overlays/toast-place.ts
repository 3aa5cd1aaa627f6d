export type Box = { left: number; top: number; right: number; bottom: number };

const MARGIN_PX = 12;
/** The page's header is at most this high. */
const HEADER_PX = 64;

const STEP_PX = 16;
const STEPS = 10;

/** Where a toast can be: its usual place or beside it, a bit higher, near the header, or else between. */
export function listPlaces(usual: Box, leftEdge: number): Box[] {
  const [width, height] = [usual.right - usual.left, usual.bottom - usual.top];
  const centre = (leftEdge + usual.left) / 2;
  const lefts = [usual.left, ...(leftEdge < usual.left ? [centre, leftEdge] : [])];
  const belowHeader = HEADER_PX + MARGIN_PX;
  const steps = Math.max(1, Math.ceil((usual.top - belowHeader) / STEP_PX));
  const higher = Array.from({ length: steps }, (_, i) => usual.top - STEP_PX * i);
  const tops = [...higher.slice(0, STEPS), belowHeader, MARGIN_PX, ...higher.slice(STEPS)];
  return tops.flatMap((top) =>
    lefts.map((left) => ({ left, top, right: left + width, bottom: top + height })),
  );
}

/** The first place that covers the least. */
export function choosePlace(
  places: readonly [Box, ...Box[]],
  weighCovered: (place: Box) => number,
): Box {
  let [best] = places;
  let fewest = Infinity;
  for (const place of places) {
    const covered = weighCovered(place);
    if (covered >= fewest) continue;
    [best, fewest] = [place, covered];
    if (covered === 0) break;
  }
  return best;
}

const CONTROLS =
  'a[href], button, input, select, textarea, summary, [role=slider], [role=option], [role=menuitem], [tabindex="0"]';
/** What a page or a dialog is about. */
const TEXTS = 'h1, h2, h3, [role=dialog] p, [data-keep-clear]';
/** A covered control can't be pressed; a covered text can't be read for a moment. */
const CONTROL_WEIGHT = 4;
/** Rows are everywhere in a long list, and can be scrolled from under the toast. */
const ROWS = 'main li, main tr';

/** Whether a user could press or read a part of it there now: not if a dialog covers it. */
function isCovered(place: Box, element: Element, toast: Element): boolean {
  const box = element.getBoundingClientRect();
  const [left, right] = [Math.max(box.left, place.left), Math.min(box.right, place.right)];
  const [top, bottom] = [Math.max(box.top, place.top), Math.min(box.bottom, place.bottom)];
  if (right - left < 1 || bottom - top < 1) return false;
  const hit = document
    .elementsFromPoint((left + right) / 2, (top + bottom) / 2)
    .find((one) => !toast.contains(one));
  return element.contains(hit ?? null);
}

/** What a toast had better not cover, with its weight. */
function listWeights(toast: Element): [Element, number][] {
  const found = [...document.querySelectorAll(`${CONTROLS}, ${TEXTS}`)];
  return found
    .filter((element) => !toast.contains(element) && !element.closest(ROWS))
    .map((element) => [element, element.matches(CONTROLS) ? CONTROL_WEIGHT : 1]);
}

/** A move from the usual place, in pixels. */
type Move = { x: number; y: number };

function findMove(toast: HTMLElement, current: Move): Move {
  // Unlike its bounding box, the offsets don't include the move.
  const { offsetLeft: left, offsetTop: top, offsetWidth, offsetHeight } = toast;
  const usual = { left, top, right: left + offsetWidth, bottom: top + offsetHeight };
  const gutter = document.documentElement.clientWidth - usual.right;
  const page = document.getElementById('main')?.getBoundingClientRect();
  const places = listPlaces(usual, (page?.left ?? 0) + gutter);
  const now = places.find((one) => one.left - left === current.x && one.top - top === current.y);
  const weights = listWeights(toast);
  const best = choosePlace([now ?? usual, ...places], (place) =>
    weights.reduce(
      (sum, [element, weight]) => (isCovered(place, element, toast) ? sum + weight : sum),
      0,
    ),
  );
  return { x: best.left - left, y: best.top - top };
}

/** Keeps the toast off controls and headings: when it opens, and when something moves or appears. */
export function watchToastPlace(toast: HTMLElement): () => void {
  let move: Move = { x: 0, y: 0 };
  const settle = () => {
    // The press of its button also moves the focus, and would miss if the toast moved away.
    if (toast.matches(':active')) return;
    move = findMove(toast, move);
    toast.style.translate = `${move.x}px ${move.y}px`;
  };
  // Before the first paint: the toast has its size only now.
  const observer = new ResizeObserver(settle);
  observer.observe(toast);
  // Another page, or content that has been loaded.
  let frame = 0;
  const pageObserver = new MutationObserver((changes) => {
    if (changes.every(({ target }) => toast.contains(target))) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(settle);
  });
  pageObserver.observe(document.body, { childList: true, subtree: true });
  const controller = new AbortController();
  const options = { capture: true, signal: controller.signal };
  for (const event of ['resize', 'scrollend', 'focusin', 'animationend'])
    window.addEventListener(event, settle, options);
  return () => {
    observer.disconnect();
    pageObserver.disconnect();
    cancelAnimationFrame(frame);
    controller.abort();
  };
}
