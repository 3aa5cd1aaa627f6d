import { robots, short } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';
import { bar } from '../support/player-page.ts';

test('a visitor opens the chart, its explanation and last week’s chart, and plays from it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/top-20');
  const main = page.getByRole('main');
  const first = main.getByRole('region', { name: robots.title });
  await expect(first).toContainText('Number one for the first time');
  await expect(first).toContainText('Last week2');
  await expect(first).toContainText('Peak1');
  await expect(first).toContainText('Weeks on chart2');
  const second = main.getByRole('list', { name: 'Top 20' }).getByRole('listitem').first();
  await expect(second).toContainText(short.title);
  await expect(second).toContainText('Down 1 place');
  await expect(second).toContainText('Peak 1');
  await expect(second).toContainText('2 wks');

  await first.getByRole('button', { name: 'Why is it number 1?' }).click();
  const why = page.getByRole('dialog', { name: 'Why is it number 1?' });
  // Other tests play it too, meanwhile.
  await expect(why).toContainText(
    /Subscribers score 1 point a day, free listeners 0\.25: 9\d\d \+/,
  );
  await why.getByRole('button', { name: 'Close' }).click();

  await main.getByRole('link', { name: /^Chart of week/ }).click();
  await expect(page).toHaveURL(/\/top-20\?week=\d{4}-W\d{2}$/);
  await expect(main.getByRole('region', { name: short.title })).toContainText(
    'Straight in at number one',
  );
  const weeks = main.getByRole('navigation', { name: 'Charts of other weeks' });
  await expect(weeks.locator('[aria-current=page]')).toHaveText(/^Week \d+$/i);
  await expect(weeks.getByRole('link', { name: 'Live chart' })).toHaveText('Live');
  await page.goBack();
  await expect(weeks.locator('[aria-current=page]')).toHaveText('Live');
  await expect(first).toBeVisible();

  await first.getByRole('button', { name: `Play preview: ${robots.title}` }).click();
  await expect(bar(page).getByRole('link', { name: robots.title })).toBeVisible();
});

test('the chart shows movement and recent ranks on a phone, and has two columns on a very wide screen', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/top-20');
  const list = page.getByRole('list', { name: 'Top 20' });
  const second = list.getByRole('listitem').first();
  await expect(second.getByText('Down 1 place').filter({ visible: true })).toHaveCount(1);
  await expect(second.getByRole('img', { name: /^Last \d+ chart positions/ })).toBeVisible();
  // The sleeve plays, without anything drawn over it.
  const play = second.getByRole('button', { name: `Play preview: ${short.title}` });
  await expect(play).toBeEmpty();
  const sleeve = await second.locator('.sleeve').boundingBox();
  expect(await play.boundingBox()).toEqual(sleeve);
  await expect(second.getByRole('button', { name: /favorite/i })).toHaveCount(0);

  const countColumns = async () => {
    const [row, all] = [await second.boundingBox(), await list.boundingBox()];
    return Math.floor((all?.width ?? 0) / (row?.width ?? 1));
  };
  expect(await countColumns()).toBe(1);
  await page.setViewportSize({ width: 2560, height: 1440 });
  await expect.poll(countColumns).toBe(2);
  // From top to bottom: 2 and 3 are in the first column.
  await expect(list).toHaveCSS('column-count', '2');
});
