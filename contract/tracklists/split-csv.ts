/** A row of a file, and the line it starts on. */
export type CsvRow = { line: number; cells: string[]; hasOpenQuote: boolean };

type Cell = { text: string; end: number };

const isCellEnd = (text: string, at: number, delimiter: string): boolean =>
  at >= text.length || text[at] === delimiter || text[at] === '\n';

function readPlain(text: string, start: number, delimiter: string): Cell {
  let end = start;
  while (!isCellEnd(text, end, delimiter)) end += 1;
  return { text: text.slice(start, end), end };
}

/** `"a ""quoted"" word"`, also over several lines. Null if other text follows the last quote. */
function readQuoted(text: string, start: number, delimiter: string): Cell | 'open' | null {
  let quote = text.indexOf('"', start + 1);
  while (text[quote + 1] === '"' && quote >= 0) quote = text.indexOf('"', quote + 2);
  if (quote < 0) return 'open';
  let end = quote + 1;
  while (text[end] === ' ') end += 1;
  if (!isCellEnd(text, end, delimiter)) return null;
  const inner = text.slice(start + 1, quote);
  return { text: inner.includes('""') ? inner.replaceAll('""', '"') : inner, end };
}

/**
 * The rows of a text whose lines end with `\n`, one by one. The work grows with the length of the
 * text, whatever it contains: a cell with stray quotes is taken as it stands, and no cell is read a
 * third time. Libraries go back to the start of the row for every quote in it.
 */
export function* splitCsv(text: string, delimiter: string): Generator<CsvRow> {
  let [at, line] = [0, 1];
  while (at < text.length) {
    const row: CsvRow = { line, cells: [], hasOpenQuote: false };
    let isLast = false;
    while (!isLast) {
      const quoted = text[at] === '"' ? readQuoted(text, at, delimiter) : null;
      if (quoted === 'open') row.hasOpenQuote = true;
      const cell = quoted === null || quoted === 'open' ? readPlain(text, at, delimiter) : quoted;
      row.cells.push(cell.text);
      if (cell.text.includes('\n')) line += cell.text.split('\n').length - 1;
      isLast = text[cell.end] !== delimiter;
      at = cell.end + 1;
    }
    line += 1;
    yield row;
  }
}
