import { reportNames } from '#contract/admin/report-groups.ts';
import { FigureListPage, Report, type Figure } from '#contract/admin/reports.ts';
import type { ReportName } from '#contract/admin/reports.ts';
import type { TestClient } from './test-app.ts';

type Range = { from: string; to: string };

export async function readReport(
  admin: TestClient,
  name: ReportName,
  query: Record<string, string>,
): Promise<Report> {
  const response = await admin.request({ method: 'GET', url: `/api/admin/reports/${name}`, query });
  return Report.parse(response.json());
}

/** All pages of the list behind a figure, a few rows at a time. */
export async function readFigureList(admin: TestClient, href: string): Promise<FigureListPage> {
  const { searchParams } = new URL(href, 'http://site');
  const { report, figure, ...query } = Object.fromEntries(searchParams);
  const pages: FigureListPage[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const response = await admin.request({
      method: 'GET',
      url: `/api/admin/reports/${report}/${figure}`,
      query: { ...query, limit: '7', ...(cursor && { cursor }) },
    });
    const page = FigureListPage.parse(response.json());
    pages.push(page);
    cursor = page.nextCursor;
  }
  const [first] = pages as [FigureListPage, ...FigureListPage[]];
  return { ...first, items: pages.flatMap(({ items }) => items) };
}

export type OpenedFigure = { key: string; range: Range; figure: Figure; list: FigureListPage };

/** Every figure that has a list, with that list. */
export async function* openFigures(
  admin: TestClient,
  ranges: readonly (Range & { track?: string })[],
): AsyncGenerator<OpenedFigure> {
  for (const range of ranges)
    for (const name of reportNames)
      for (const figure of (await readReport(admin, name, range)).figures)
        if (figure.href?.startsWith('/admin/reports/list?'))
          yield {
            key: `${name}.${figure.key}`,
            range,
            figure,
            list: await readFigureList(admin, figure.href),
          };
}

/** The sum of a column. */
export function sumColumn({ columns, items }: FigureListPage, key: string): number {
  const at = columns.findIndex((column) => column.key === key);
  return items.reduce((sum, { cells }) => sum + Number(cells[at]), 0);
}
