import { flushSync } from 'react-dom';

type Page = Pick<Window, 'document' | 'location' | 'matchMedia' | 'performance'>;

/**
 * A page should be there within 100 ms, and a transition delays it: a lot on a device without a
 * graphics processor. So there is none until a page has rendered in less than `QUICK_MS`, and no more
 * after one that began later than `SLOW_MS`.
 */
const QUICK_MS = 20;
const SLOW_MS = 80;
/** A page that is still loading: it says nothing about the device. */
const SKELETON = 'main .animate-breathe';
const MORPH = 'track-sleeve';

/**
 * Lets the old page fade out where the browser can, and the sleeve of a mix grow into that of its
 * page. The new page is complete from the first frame: nothing here waits for the network. The first
 * change of a visit does without: it tells how quick the device is.
 */
export function createPageTransition(page: Page = window) {
  const { document, location, performance } = page;
  let isQuick = false;
  let isSlow = false;
  let pressed: Element | null = null;
  document.addEventListener(
    'click',
    ({ target }) => {
      pressed = target instanceof Element ? target.closest('a[href]') : null;
    },
    { capture: true, passive: true },
  );

  const isWanted = (): boolean =>
    typeof document.startViewTransition === 'function' &&
    isQuick &&
    !isSlow &&
    !document.hidden &&
    !page.matchMedia('(prefers-reduced-motion: reduce)').matches;

  return (to: string, show: () => void): void => {
    if (new URL(to, location.href).pathname === location.pathname) return show();
    leaveFocus(document);
    const start = performance.now();
    if (!isWanted()) {
      show();
      // React renders the page right after this.
      queueMicrotask(() => {
        if (!document.querySelector(SKELETON)) isQuick = performance.now() - start < QUICK_MS;
      });
      return;
    }
    const link = pressed?.getAttribute('href') === to ? pressed : null;
    const sleeve = to.startsWith('/track/') && link ? findSleeve(link) : null;
    setName(sleeve, MORPH);
    let next: HTMLElement | null = null;
    const transition = document.startViewTransition(() => {
      setName(sleeve, '');
      flushSync(show);
      next = sleeve && document.querySelector<HTMLElement>('main .stage .sleeve');
      setName(next, MORPH);
    });
    transition.ready.then(
      () => {
        isSlow = performance.now() - start > SLOW_MS;
      },
      // The browser skips it when another page follows at once, or the window is hidden.
      () => undefined,
    );
    const forget = () => setName(next, '');
    transition.finished.then(forget, forget);
  };
}

/**
 * The focus moves to the new page's start anyway. If what has it were removed first, the browser
 * would lay out the half-changed page.
 */
function leaveFocus({ activeElement }: Document): void {
  activeElement?.closest<HTMLElement>('main')?.focus({ preventScroll: true });
}

/** The visible sleeve of the mix that a link leads to: inside the link, or in the same row. */
const findSleeve = (link: Element): HTMLElement | null =>
  [link, link.closest('[data-week]')]
    .map((place) => place?.querySelector<HTMLElement>('.sleeve'))
    .find((sleeve) => sleeve?.checkVisibility()) ?? null;

function setName(element: HTMLElement | null, name: string): void {
  if (element) element.style.viewTransitionName = name;
}
