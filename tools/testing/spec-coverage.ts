import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** A row of docs/spec-coverage.md: a statement, the files that implement it and the tests that prove it. */
export type CoverageRow = {
  id: string;
  sentence: string;
  files: string[];
  proofs: Proof[];
  /** The decisions that settle what the specification leaves open. */
  settledBy: string[];
};
export type Proof = { file: string; title: string };

const ID = /^D?\d+\.\d+$/;
const SEPARATOR = ' › ';

/** The cells of a row of a Markdown table. */
export const splitCells = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());

const codeSpans = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, text]) => text ?? []);

function parseProof(span: string): Proof {
  const [file = '', ...titles] = span.split(SEPARATOR);
  return { file, title: titles.join(SEPARATOR) };
}

/** Every `file › suite › test` in a text. */
export const findProofs = (markdown: string): Proof[] =>
  codeSpans(markdown)
    .filter((span) => span.includes(SEPARATOR))
    .map(parseProof);

function parseRow([id = '', sentence = '', files = '', answer = '']: string[]): CoverageRow {
  const settled = /^Settled by (.+)$/.exec(answer)?.[1];
  return {
    id,
    sentence,
    files: codeSpans(files),
    proofs: codeSpans(answer).map(parseProof),
    settledBy: settled ? settled.split(', ') : [],
  };
}

/** Every table row that starts with an id. */
export const parseCoverage = (markdown: string): CoverageRow[] =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('|') && line.endsWith('|'))
    .map(splitCells)
    .filter(([id = '']) => ID.test(id))
    .map(parseRow);

/** The values in the table at the top of the page. */
export type Status = 'Done' | 'Settled by a decision' | 'Unproven';

export function statusOf({ proofs, settledBy }: CoverageRow): Status {
  if (proofs.length > 0) return 'Done';
  return settledBy.length > 0 ? 'Settled by a decision' : 'Unproven';
}

/** A sentence of the specification, word for word, and the rows that cover it. */
export type SpecSentence = { sentence: string; rows: string[] };

const FILLERS = new Set(
  'a an and are as at be by for has in is it its of on or see shows that the to when which with'.split(
    ' ',
  ),
);

/** Ignores plurals and endings: a row may say "Control" where the specification says "Controls". */
const stemsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\w./{}?=-]+/g) ?? [])
    .map((word) => word.replace(/^[.]+|[.]+$/g, ''))
    .filter((word) => word && !FILLERS.has(word))
    .map((word) => word.replace(/s$/, '').slice(0, 5));

/** The words of a sentence that none of its rows contains. */
export function findMissingWords(
  { sentence, rows: ids }: SpecSentence,
  rows: readonly CoverageRow[],
): string[] {
  const covering = rows.filter(({ id }) => ids.includes(id)).map((row) => row.sentence);
  const covered = new Set(stemsOf(covering.join(' ').replaceAll('`', '')));
  return stemsOf(sentence).filter((stem) => !covered.has(stem));
}

type Node = { type: string; [field: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** The names in `test.describe.each(…)`: test, describe, each; empty for anything else. */
function readCallee(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === 'Identifier') return [String(node.name)];
  if (node.type === 'CallExpression') return readCallee(node.callee);
  if (node.type !== 'MemberExpression' || !isNode(node.property)) return [];
  return [...readCallee(node.object), String(node.property.name)];
}

/** The title as written, placeholders included. */
function readTitle(source: string, node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  return source.slice(Number(node.start) + 1, Number(node.end) - 1);
}

/** Leaves out skipped tests, which prove nothing. */
function kindOfCall([name = '', ...members]: string[]): 'suite' | 'test' | undefined {
  // Of `server/testing/on-sqlite.ts`.
  const root = name.replace(/OnSqlite$/, '');
  const isSuite = root === 'describe' || (root === 'test' && members[0] === 'describe');
  const rest = root === 'test' && isSuite ? members.slice(1) : members;
  if (!['describe', 'it', 'test'].includes(root) || rest.some((member) => member !== 'each'))
    return;
  return isSuite ? 'suite' : 'test';
}

/** The full names of a file's tests: `suite › test`. */
export function listTests(file: string, source: string): string[] {
  const titles: string[] = [];
  const visit = (node: Node, suites: string[]): void => {
    const kind = node.type === 'CallExpression' ? kindOfCall(readCallee(node.callee)) : undefined;
    const title = kind && readTitle(source, (node.arguments as unknown[])[0]);
    const path = title === undefined ? suites : [...suites, title];
    if (kind === 'test' && title !== undefined) titles.push(path.join(SEPARATOR));
    for (const child of childrenOf(node)) visit(child, path);
  };
  visit(parseSync(file, source).program as unknown as Node, []);
  return titles;
}

/** The proofs whose file or test doesn't exist. */
export function findMissingProofs(root: string, proofs: readonly Proof[]): Proof[] {
  const testsOf = new Map<string, string[]>();
  const readTests = (file: string): string[] => {
    const path = join(root, file);
    return existsSync(path) ? listTests(file, readFileSync(path, 'utf8')) : [];
  };
  return proofs.filter(({ file, title }) => {
    const tests = testsOf.get(file) ?? readTests(file);
    testsOf.set(file, tests);
    return !tests.includes(title);
  });
}
