export type BarePage = {
  html: string;
  /** The path of its picture on our server; null if the picture is in the page. */
  picture: string | null;
};

const textOf = (html: string): string[] =>
  html
    .replaceAll(/<(script|style|noscript|template|svg)\b[\s\S]*?<\/\1>/g, '')
    .split(/<[^>]*>/)
    .map((text) => text.trim())
    .filter((text) => text !== '');

/** A picture from a file, or else the largest one in the page. */
function findPicture(html: string): string {
  const pictures = html.match(/<img\b[^>]*>|<svg\b[\s\S]*?<\/svg>/g) ?? [];
  const file = pictures.find((picture) => /^<img\b[^>]*\ssrc="\//.test(picture));
  return file ?? pictures.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

/** The least that shows the same: the text and the main picture of a page. */
export function buildBarePage(page: string): BarePage {
  const [, title = ''] = /<title>([^<]*)<\/title>/.exec(page) ?? [];
  const body = page.slice(page.indexOf('<body'));
  const picture = findPicture(body);
  const source = /^<img\b[^>]*\ssrc="([^"]+)"/.exec(picture)?.[1];
  const shown =
    source === undefined ? picture : `<img src="${source}" alt="" width="320" height="320">`;
  const lines = textOf(body).map((text) => `<p>${text}</p>`);
  return {
    html: [
      '<!doctype html>',
      '<html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${title}</title></head><body>`,
      shown,
      ...lines,
      '</body></html>',
    ].join('\n'),
    picture: source?.startsWith('/') ? source : null,
  };
}
