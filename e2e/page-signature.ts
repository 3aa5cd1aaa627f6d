import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';

/** One for each piece of the page. A page whose pieces are equal to those of another looks and reads the same. */
export type PageSignature = { main: string; links: string[]; shell: string };

/**
 * Markup, the styles and the boxes that come of it: what axe judges by. The pieces are `main` (empty
 * where there is none), each link of the navigation, which is drawn otherwise on its own page, and
 * all around them. Numbers in a text (times, counts) are left out, as is where a link leads;
 * generated ids are numbered in the order of their appearance.
 */
export async function signPage(page: Page): Promise<PageSignature> {
  const { main, links, shell } = await page.evaluate(describeDocument);
  return { main: main && hash(main), links: links.map(hash), shell: hash(shell) };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Runs in the page, one line per element and text. */
function describeDocument(): PageSignature {
  const STYLES = [
    'color',
    'background-color',
    'background-image',
    'opacity',
    'visibility',
    'filter',
    'font-size',
    'font-weight',
    'text-shadow',
    'text-decoration-line',
    'position',
    'z-index',
  ];
  /** Of these it matters that there is something, and whether that leads into the page (`#`). */
  const ADDRESSES = new Set(['href', 'src', 'srcset', 'action', 'datetime']);
  const REFERENCES = new Set([
    'id',
    'for',
    'name',
    'aria-labelledby',
    'aria-describedby',
    'aria-controls',
    'aria-owns',
    'aria-activedescendant',
  ]);
  const withoutNumbers = (text: string): string =>
    text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '0');

  function describePiece(root: Element, elsewhere: readonly Element[]): string {
    const lines: string[] = [];
    const ids = new Map<string, number>();
    const numberIds = (value: string): string =>
      value
        .split(/\s+/)
        .map((id) => ids.get(id) ?? ids.set(id, ids.size).get(id))
        .join(' ');

    const readAttribute = ({ name, value }: Attr): string => {
      if (REFERENCES.has(name)) return `${name}=${numberIds(value)}`;
      return `${name}=${ADDRESSES.has(name) ? value.slice(0, 1) : value}`;
    };
    const readBox = (element: Element): string => {
      // As large as the piece in it that is not described here.
      if (elsewhere.some((piece) => element.contains(piece))) return '';
      const { width, height } = element.getBoundingClientRect();
      return `${Math.round(width)} ${Math.round(height)}`;
    };
    const describe = (element: Element, style: CSSStyleDeclaration): string =>
      [
        element.localName,
        ...Array.from(element.attributes, readAttribute),
        ...STYLES.map((name) => style.getPropertyValue(name)),
      ].join('|');
    const visit = (node: Node): void => {
      if (node instanceof Text) lines.push(withoutNumbers(node.data));
      if (!(node instanceof Element) || elsewhere.includes(node)) return;
      if (/^(?:head|script|style)$/.test(node.localName)) return;
      const style = getComputedStyle(node);
      // What is not shown can only lend its name to something that is.
      if (style.display === 'none')
        lines.push(node.id || node.querySelector('[id]') ? withoutNumbers(node.textContent) : '');
      else {
        lines.push(describe(node, style), readBox(node));
        if (node.localName === 'svg') lines.push(node.innerHTML);
        else node.childNodes.forEach(visit);
        lines.push('/');
      }
    };
    for (let above = root.parentElement; above; above = above.parentElement) {
      lines.push(describe(above, getComputedStyle(above)));
    }
    visit(root);
    return lines.join('\n');
  }

  const main = document.querySelector('main');
  const links = [...document.querySelectorAll('nav a')].filter((link) => !main?.contains(link));
  return {
    main: main ? describePiece(main, []) : '',
    links: links.map((link) => describePiece(link, [])),
    shell: describePiece(document.documentElement, main ? [main, ...links] : links),
  };
}
