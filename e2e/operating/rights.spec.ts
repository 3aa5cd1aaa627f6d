import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { tabTo } from '../support/keyboard.ts';
import { addMix, expect, signInTo, test, type OwnServer } from '../support/own-server.ts';

const SUBSTATION = { at: 0, artist: 'Relay Room', title: 'Substation' };
const SIREN = { at: 20, artist: 'Kasi Voltage', title: 'Umlazi Siren' };
const NDLELA = { at: 40, artist: 'Thandi M', title: 'Ndlela' };
const LIVE = { at: 0, artist: 'Relay Room', title: 'Live at the Yard' };

/** Two mixes, of which the second plays a track of the first again. */
function addMixes(server: OwnServer) {
  addMix(server, { id: 'one', title: 'Pool Lights', week: 1 });
  addMix(server, { id: 'two', title: 'Quiet Harbour', week: 2 });
  server.withDatabase((database) => {
    const update = database.prepare('update tracks set chapters = ? where id = ?');
    update.run(JSON.stringify([SUBSTATION, SIREN, NDLELA]), 'one');
    update.run(JSON.stringify([LIVE, { ...SUBSTATION, at: 30 }]), 'two');
  });
}

const pathOf = (id: string) => `/admin/tracks/${id}/rights`;
const FIELDS = ['Version', 'Composer', 'Publisher', 'Label', 'ISRC', 'ISWC', 'Own', 'Cleared with'];
const rowOf = (page: Page, title: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: title }) });
/** Time and artist are cells, too. */
const cellOf = (page: Page, title: string, field: string): Locator =>
  rowOf(page, title)
    .getByRole('gridcell')
    .nth(2 + FIELDS.indexOf(field));
const progress = (page: Page) => page.getByRole('main').getByRole('status').first();
const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click();
const isSaved = (page: Page) => expect(page.getByText('Saved', { exact: true })).toBeVisible();

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await press(page, 'Control+V');
}

async function read(page: Page, name: string, text: string): Promise<void> {
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
  await page.getByLabel('Read a file').setInputFiles(file);
}

test('an administrator says what a mix played: with the keyboard, a spreadsheet and files', async ({
  page,
  context,
  ownServer,
  problems,
}) => {
  addMixes(ownServer);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInTo(context, ownServer.origin, 'admin');
  await page.goto(ownServer.origin + pathOf('one'));
  await expect(progress(page)).toHaveText('0 of 3 tracks have everything a report needs.');
  await expect(rowOf(page, 'Substation')).toContainText('4 missing');

  // Keys lead from cell to cell. Escape gives the old text back, and then leaves the table.
  await tabTo(page, cellOf(page, 'Substation', 'Version'));
  await press(page, 'ArrowRight');
  await page.keyboard.type('S. Dube');
  await press(page, 'Tab');
  await expect(cellOf(page, 'Substation', 'Publisher')).toBeFocused();
  await expect(cellOf(page, 'Substation', 'Composer')).toHaveText('S. Dube');
  await page.keyboard.type('Wrong');
  await press(page, 'Escape');
  await expect(cellOf(page, 'Substation', 'Publisher')).toBeFocused();
  await expect(cellOf(page, 'Substation', 'Publisher')).toHaveText(/missing$/);
  await press(page, 'ArrowLeft', 'Enter');
  await expect(page.getByRole('textbox', { name: 'Composer of Substation' })).toHaveValue(
    'S. Dube',
  );
  await page.keyboard.type(' & L. Khumalo');
  await press(page, 'Enter');
  await expect(cellOf(page, 'Umlazi Siren', 'Composer')).toBeFocused();
  await expect(cellOf(page, 'Substation', 'Composer')).toHaveText('S. Dube & L. Khumalo');
  await press(page, 'Shift+Tab', 'Shift+Tab', 'ArrowUp');
  await expect(page.getByRole('rowheader', { name: 'Substation' })).toBeFocused();

  // A wrong ISRC is named at its cell and in a list, and nothing is saved.
  await press(page, 'F8', 'F8', 'F8');
  await expect(cellOf(page, 'Substation', 'ISRC')).toBeFocused();
  await page.keyboard.type('ZAUM719');
  await press(page, 'Enter');
  const wrong = cellOf(page, 'Substation', 'ISRC');
  await expect(wrong).toHaveAttribute('aria-invalid', 'true');
  await expect(wrong).toHaveAccessibleDescription(/^An ISRC has two letters/);
  await expect(page.getByRole('region', { name: 'To correct' })).toContainText(
    'ISRC of Substation: An ISRC has two letters',
  );
  await expectAccessible(page, 'what was played', { isShellKnown: true });
  await save(page);
  await expect(page.getByText('Not saved: correct 1 field first.')).toBeVisible();
  await expect(wrong).toBeFocused();
  await page.keyboard.type('za-um7-19-00001');
  await press(page, 'ArrowUp');
  await expect(wrong).not.toHaveAttribute('aria-invalid');

  // A block from a spreadsheet fills down and right, in one step for undo.
  await press(page, 'ArrowLeft', 'ArrowLeft');
  await paste(page, 'Sheer\tGrid\r\nUmlazi Music\tHarbour\r\n\tToo far\r\nFourth\trow\r\n');
  await expect(progress(page)).toContainText('Pasted 6 cells. 1 row didn’t fit.');
  await expect(cellOf(page, 'Umlazi Siren', 'Label')).toHaveText('Harbour');
  await press(page, 'Control+Z');
  await expect(cellOf(page, 'Umlazi Siren', 'Label')).toHaveText(/missing$/);
  await press(page, 'Control+Y');
  await expect(cellOf(page, 'Ndlela', 'Label')).toHaveText('Too far');
  await expect(progress(page)).toContainText('1 of 3 tracks have everything a report needs.');

  // A CSV and a cue sheet fill what is empty, unless somebody says otherwise.
  const dialog = page.getByRole('dialog');
  await read(
    page,
    'rights.csv',
    'Title;Artist;Composer;Label;ISRC\nUmlazi Siren;Kasi Voltage;N. Zulu;Other;ZA-UM7-1\n' +
      'Ndlela;Thandi M;T. M;Grid;\nElse;Nobody;;;\n',
  );
  await expect(dialog).toContainText('2 of the 3 entries of this mix are in it');
  await dialog.getByText('Left out: 1 line').click();
  await expect(dialog).toContainText('Line 2 has an invalid ISRC: ZA-UM7-1');
  await expect(dialog.getByText('Not in this mix: 1 track')).toBeVisible();
  await dialog.getByRole('button', { name: 'Fill 2 fields' }).click();
  await expect(cellOf(page, 'Umlazi Siren', 'Label')).toHaveText('Harbour');
  await read(
    page,
    'mix.cue',
    `FILE "mix.wav" WAVE
  TRACK 01 AUDIO
    TITLE "Umlazi Siren"
    PERFORMER "Kasi Voltage"
    SONGWRITER "Somebody else"
    ISRC ZAUM71900002
    INDEX 01 00:20:00
  TRACK 02 AUDIO
    TITLE "Ndlela"
    PERFORMER "Thandi M"
    REM PUBLISHER "Sheer"
    ISRC ZAUM71900003
    INDEX 01 00:40:00`,
  );
  await expect(dialog).toContainText('Composer: N. Zulu, not Somebody else');
  await dialog.getByRole('button', { name: 'Fill 3 fields' }).click();
  await expect(progress(page)).toContainText('3 tracks: a report has everything it needs.');

  // What isn’t saved is asked for, also what stands in an open cell.
  await cellOf(page, 'Ndlela', 'Cleared with').click();
  await page.keyboard.type('By mail, 3 May');
  const leaving = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  await (await leaving).dismiss();
  await page.getByRole('link', { name: 'Pool Lights' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await save(page);
  await isSaved(page);
  await page.reload();
  await expect(progress(page)).toHaveText('3 tracks: a report has everything it needs.');
  await expect(cellOf(page, 'Substation', 'ISRC')).toHaveText('ZAUM71900001');
  await expect(cellOf(page, 'Ndlela', 'Cleared with')).toHaveText('By mail, 3 May');

  // The next mix knows it, and one correction is right in both.
  await page.goto(ownServer.origin + pathOf('two'));
  await page.getByRole('button', { name: 'Use 1 suggestion' }).click();
  await expect(cellOf(page, 'Substation', 'ISRC')).toHaveText('ZAUM71900001');
  await cellOf(page, 'Live at the Yard', 'ISRC').click();
  await page.keyboard.type('ZAUM71900001');
  await press(page, 'Enter');
  await save(page);
  await isSaved(page);
  await expect(rowOf(page, 'Substation')).toContainText('In 2 mixes');
  await expect(rowOf(page, 'Live at the Yard')).toContainText('Same ISRC as another');
  await page.goto(`${ownServer.origin}/admin/rights`);
  await page.getByRole('button', { name: 'Correct Relay Room – Substation', exact: true }).click();
  // Somebody else corrects it meanwhile, and this page hears of it behind the dialog.
  ownServer.withDatabase((database) =>
    database.exec(
      `update recordings set composer = 'A. Else', updated_at = updated_at + 1 where title = 'Substation'`,
    ),
  );
  const reloaded = page.waitForResponse(/\/api\/admin\/recordings\?/);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await reloaded;
  problems.expect(/409.*\/api\/admin\/recordings\//);
  await dialog.getByLabel('Label').fill('Mine');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Someone else changed one of these recordings');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Correct Relay Room – Substation', exact: true }).click();
  await expect(dialog.getByLabel('Composer')).toHaveValue('A. Else');
  await dialog.getByLabel('Label').fill('Grid & Sons');
  await dialog.getByLabel('ISRC').fill('nonsense');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('An ISRC has two letters')).toBeVisible();
  await dialog.getByLabel('ISRC').fill('ZAUM71900001');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Recording saved', { exact: true })).toBeVisible();

  // Two recordings with one ISRC are one.
  await page.getByLabel('Which recordings').selectOption('With the same ISRC');
  await page.getByRole('button', { name: 'Merge Relay Room – Live at the Yard' }).click();
  await dialog
    .getByLabel('Merge into')
    .selectOption({ label: 'Relay Room – Substation, ZAUM71900001' });
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByText('No recordings found')).toBeVisible();
  for (const id of ['one', 'two']) {
    await page.goto(ownServer.origin + pathOf(id));
    await expect(cellOf(page, 'Substation', 'Label')).toHaveText('Grid & Sons');
  }
  await expect(cellOf(page, 'Live at the Yard', 'Label')).toHaveText('Grid & Sons');
});

test('a helper fills a form on a phone, two tabs overwrite nothing, and listeners see none of it', async ({
  page,
  context,
  ownServer,
  problems,
}) => {
  addMixes(ownServer);
  const { origin, withDatabase } = ownServer;
  withDatabase((database) =>
    database.exec(`update users set is_helper = 1 where username = 'free'`),
  );
  await signInTo(context, origin, 'free');
  const other = await context.newPage();
  await other.goto(origin + pathOf('one'));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(origin + pathOf('one'));
  await page.getByRole('button', { name: /Umlazi Siren/ }).click();
  const form = page.getByRole('group', { name: 'Umlazi Siren' });
  await form.getByLabel('Composer').fill('N. Zulu');
  await form.getByLabel('ISRC').fill('ZAUM71900009X');
  // Who is still typing isn’t wrong yet.
  await expect(page.getByRole('region', { name: 'To correct' })).toBeHidden();
  await form.getByLabel('Label').fill('Harbour');
  await expect(form.getByText('An ISRC has two letters')).toBeVisible();
  await expectAccessible(page, 'what was played, on a phone', { isShellKnown: true });
  await form.getByLabel('ISRC').fill('ZAUM71900009');
  await save(page);
  await isSaved(page);
  await page.reload();
  await page.getByRole('button', { name: /Umlazi Siren/ }).click();
  await expect(form.getByLabel('ISRC')).toHaveValue('ZAUM71900009');

  // The other tab was open all the time.
  problems.expect(/\b409\b.* \/api\/admin\/tracks\/one\/recordings$/);
  await cellOf(other, 'Umlazi Siren', 'Label').click();
  await other.keyboard.type('Grid');
  await press(other, 'Tab');
  await cellOf(other, 'Ndlela', 'Composer').click();
  await other.keyboard.type('T. M');
  await press(other, 'Enter');
  await save(other);
  const warning = other.getByRole('alert');
  await expect(warning).toContainText('Someone else changed this tracklist meanwhile.');
  await expect(warning).toContainText('Label of Umlazi Siren, which is now “Harbour”');
  await expect(cellOf(other, 'Umlazi Siren', 'Composer')).toHaveText('N. Zulu');
  await cellOf(other, 'Umlazi Siren', 'Label').click();
  await other.keyboard.type('Harbour');
  await press(other, 'Enter');
  await save(other);
  await isSaved(other);
  await other.reload();
  await expect(cellOf(other, 'Umlazi Siren', 'Label')).toHaveText('Harbour');
  await expect(cellOf(other, 'Ndlela', 'Composer')).toHaveText('T. M');

  await signInTo(context, origin, 'premium');
  const track = (await (await context.request.get(`${origin}/api/tracks/one`)).json()) as unknown;
  expect(track).toMatchObject({ chapters: [SUBSTATION, SIREN, NDLELA] });
  expect(JSON.stringify(track)).not.toMatch(/ZAUM|Harbour|recordingId/);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(`${origin}/track/one`);
  await expect(page.getByText('Umlazi Siren').first()).toBeVisible();
  expect(await page.content()).not.toMatch(/ZAUM|N\. Zulu|recordingId/);
  for (const path of ['/api/admin/tracks/one/recordings', pathOf('one')])
    expect((await context.request.get(origin + path)).status(), path).toBe(404);
});
