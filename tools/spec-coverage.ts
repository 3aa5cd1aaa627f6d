import { parseSync } from 'vite';

/** A row of docs/spec-coverage.md: one sentence, where it lives, and what answers for it. */
export type CoverageRow = {
  id: string;
  places: string[];
  proofs: Proof[];
  owner: string | undefined;
  /** Rows of the decisions that say what this sentence leaves open. */
  settledBy: string[];
};
export type Proof = { file: string; title: string };

const ID = /^D?\d+\.\d+$/;
const SEPARATOR = ' › ';

const splitCells = (line: string): string[] =>
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

function parseRow([id = '', , places = '', answer = '']: string[]): CoverageRow {
  const settled = /^Settled by (.+)$/.exec(answer)?.[1];
  return {
    id,
    places: codeSpans(places),
    proofs: codeSpans(answer).map(parseProof),
    owner: /^Coming: (.+)$/.exec(answer)?.[1],
    settledBy: settled ? settled.split(', ') : [],
  };
}

/** Every table row that starts with an id; headings and prose are for people. */
export const parseCoverage = (markdown: string): CoverageRow[] =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('|') && line.endsWith('|'))
    .map(splitCells)
    .filter(([id = '']) => ID.test(id))
    .map(parseRow);

/** As the table at the top of the page words it. */
export type Status = 'Done' | `Coming: ${string}` | 'Settled by a decision' | 'Unanswered';

export function statusOf({ proofs, owner, settledBy }: CoverageRow): Status {
  if (proofs.length > 0) return 'Done';
  if (owner) return `Coming: ${owner}`;
  return settledBy.length > 0 ? 'Settled by a decision' : 'Unanswered';
}

type Node = { type: string; [field: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** `test.describe.each(…)` is test, describe, each; anything but such a chain is empty. */
function readCallee(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === 'Identifier') return [String(node.name)];
  if (node.type === 'CallExpression') return readCallee(node.callee);
  if (node.type !== 'MemberExpression' || !isNode(node.property)) return [];
  return [...readCallee(node.object), String(node.property.name)];
}

/** The title as it is written: placeholders stay placeholders. */
function readTitle(source: string, node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  return source.slice(Number(node.start) + 1, Number(node.end) - 1);
}

/** What is skipped proves nothing, so it has no name here. */
function kindOfCall([root = '', ...members]: string[]): 'suite' | 'test' | undefined {
  const isSuite = root === 'describe' || (root === 'test' && members[0] === 'describe');
  const rest = root === 'test' && isSuite ? members.slice(1) : members;
  if (!['describe', 'it', 'test'].includes(root) || rest.some((name) => name !== 'each')) return;
  return isSuite ? 'suite' : 'test';
}

/** The tests of a file by their full names: `suite › test`. */
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
