import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_DETAILS } from '#contract/tracklists/recording.ts';
import {
  acceptSuggestion,
  change,
  changeRows,
  endTyping,
  cleanValue,
  COLUMNS,
  FIELDS,
  findField,
  findNextField,
  FIRST_FIELD,
  listKeys,
  moveCell,
  openSheet,
  parseRow,
  placePaste,
  rebaseRows,
  redo,
  splitPaste,
  toValues,
  undo,
  type Row,
} from './sheet.ts';

const row = (values: Partial<Row['values']> = {}, recordingId: string | null = null): Row => ({
  recordingId,
  updatedAt: null,
  isSeparate: false,
  values: { ...toValues(NO_DETAILS), ...values },
});

const columnOf = (name: (typeof COLUMNS)[number]) => COLUMNS.indexOf(name);
const press = (key: string, modifiers: { ctrl?: true; shift?: true } = {}) => ({
  key,
  ctrlKey: modifiers.ctrl ?? false,
  metaKey: false,
  shiftKey: modifiers.shift ?? false,
});

const cells = fc.record({
  row: fc.nat(4),
  column: fc.nat(COLUMNS.length - 1),
});
const field = fc.constantFrom(...FIELDS);
const word = fc.string({ maxLength: 12 });
const someRows = fc.array(
  fc
    .tuple(field, word, fc.constantFrom(null, 'a', 'b'))
    .map(([name, text, recordingId]) => row({ [name]: cleanValue(name, text) }, recordingId)),
  { minLength: 1, maxLength: 6 },
);

describe('keys in the table', () => {
  it.each([
    ['ArrowRight', {}, [1, 4]],
    ['ArrowLeft', {}, [1, 2]],
    ['ArrowUp', {}, [0, 3]],
    ['ArrowDown', {}, [2, 3]],
    ['Enter', {}, [2, 3]],
    ['Enter', { shift: true }, [0, 3]],
    ['Tab', {}, [1, 4]],
    ['Tab', { shift: true }, [1, 2]],
    ['Home', {}, [1, 0]],
    ['End', {}, [1, COLUMNS.length - 1]],
    ['Home', { ctrl: true }, [0, 0]],
    ['End', { ctrl: true }, [4, COLUMNS.length - 1]],
    ['ArrowDown', { ctrl: true }, [4, 3]],
    ['PageDown', {}, [4, 3]],
  ] as const)('%s %o moves from the fourth cell of the second row', (key, modifiers, target) => {
    const [to, column] = target;
    expect(moveCell({ row: 1, column: 3 }, press(key, modifiers), 5)).toEqual({ row: to, column });
  });

  it('Tab goes on in the next row, and leaves the table after the last cell', () => {
    const last = COLUMNS.length - 1;
    expect(moveCell({ row: 0, column: last }, press('Tab'), 2)).toEqual({ row: 1, column: 0 });
    expect(moveCell({ row: 1, column: last }, press('Tab'), 2)).toBeNull();
    expect(moveCell({ row: 0, column: 0 }, press('Tab', { shift: true }), 2)).toBeNull();
  });

  it('never lead out of the table', () => {
    const keys = [
      'ArrowUp',
      'ArrowDown',
      'ArrowLeft',
      'ArrowRight',
      'Home',
      'End',
      'PageUp',
      'Enter',
    ];
    fc.assert(
      fc.property(cells, fc.constantFrom(...keys), fc.boolean(), (cell, key, ctrlKey) => {
        const to = moveCell(cell, { ...press(key), ctrlKey }, 5);
        expect(to?.row).toBeOneOf([0, 1, 2, 3, 4]);
        expect(COLUMNS[to?.column ?? -1]).toBeDefined();
      }),
    );
  });

  it('the next gap is the first one after the cell, and then from the start', () => {
    const gaps = new Set(['0 isrc', '2 label']);
    const isGap = (index: number, name: string) => gaps.has(`${index} ${name}`);
    const label = { row: 2, column: columnOf('label') };
    const isrc = { row: 0, column: columnOf('isrc') };
    expect(findNextField(isrc, 3, isGap)).toEqual(label);
    expect(findNextField(label, 3, isGap)).toEqual(isrc);
    gaps.clear();
    expect(findNextField(label, 3, isGap)).toBeNull();
  });
});

describe('what is pasted', () => {
  it('fills down and right from the cell, as it was copied from a spreadsheet', () => {
    const text = 'Thandi M\tUmlazi Music\r\n"A ""B"" C\nD"\t\r\n';
    const { changes, rowsLeft, columnsLeft } = placePaste(
      splitPaste(text),
      { row: 1, column: columnOf('composer') },
      3,
    );
    const pasted = changeRows([row(), row(), row({ publisher: 'Old' })], changes);
    expect(pasted.map(({ values }) => [values.composer, values.publisher])).toEqual([
      ['', ''],
      ['Thandi M', 'Umlazi Music'],
      ['A "B" C D', ''],
    ]);
    expect([rowsLeft, columnsLeft]).toEqual([0, 0]);
  });

  it('leaves time, artist and title alone, and says what didn’t fit', () => {
    const { changes, rowsLeft, columnsLeft } = placePaste(
      splitPaste(`${Array.from({ length: 12 }, (_, n) => `c${n}`).join('\t')}\n`.repeat(3)),
      { row: 1, column: 0 },
      2,
    );
    expect(changes.map(({ row: at, field: name }) => [at, name])).toEqual(
      FIELDS.map((name) => [1, name]),
    );
    expect([rowsLeft, columnsLeft]).toEqual([2, 1]);
  });

  it('may be many more rows than the mix has', () => {
    const { changes, rowsLeft } = placePaste(
      splitPaste('x\n'.repeat(150_000)),
      { row: 0, column: columnOf('label') },
      2,
    );
    expect([changes.length, rowsLeft]).toEqual([2, 149_998]);
  });

  it('is whatever a spreadsheet copied', () => {
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const block = fc.integer({ min: 1, max: 4 }).chain((width) =>
      fc.array(fc.array(word, { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 4,
      }),
    );
    fc.assert(
      fc.property(block, (lines) => {
        const text = lines.map((line) => line.map(quote).join('\t')).join('\n');
        const read = splitPaste(text.replaceAll('\r', '')).map((line) => line.join('|'));
        expect(read).toEqual(lines.map((line) => line.join('|').replaceAll('\r', '')));
      }),
    );
  });

  it.each([
    ['TRUE', 'Yes'],
    ['ja', 'Yes'],
    ['x', 'Yes'],
    ['no', ''],
    ['0', ''],
    ['perhaps', 'perhaps'],
  ])('%s is %s as an own production', (text, value) => {
    expect(cleanValue('isOwn', text)).toBe(value);
  });
});

describe('a row', () => {
  it('names the fields that can’t be saved, and saves the others in one spelling', () => {
    const values = { isrc: 'za-um7-19-00001', iswc: 'T-000', isOwn: 'perhaps', label: '=SUM(A1)' };
    const { details, errors } = parseRow(row(values));
    expect(details).toEqual({ ...NO_DETAILS, isrc: 'ZAUM71900001', label: '=SUM(A1)' });
    expect(Object.keys(errors).toSorted()).toEqual(['isOwn', 'iswc']);
  });

  it('shares what is typed with the other rows of its recording, unless it is on its own', () => {
    const shared = [
      row({}, 'a'),
      row({}, 'a'),
      { ...row({}, 'a'), isSeparate: true },
      row({}, 'b'),
    ];
    const typed = changeRows(shared, [{ row: 1, field: 'composer', value: 'Thandi M' }]);
    expect(typed.map(({ values }) => values.composer)).toEqual(['Thandi M', 'Thandi M', '', '']);
  });
});

it('a suggestion fills what is empty, and links the row to its recording', () => {
  const details = { ...NO_DETAILS, composer: 'C', label: 'L' };
  const rows = [row({ composer: 'typed' }), row({ composer: 'C', label: 'L' }, 'a')];
  const linked = acceptSuggestion(rows, 0, { recordingId: 'a', updatedAt: 7, details });
  expect(linked[0]).toEqual({ ...row({ composer: 'typed', label: 'L' }, 'a'), updatedAt: 7 });
  expect(linked[1]?.values.composer).toBe('typed');
});

describe('undo', () => {
  it('goes back through every change and paste, and forward again', () => {
    const changes = fc.array(fc.record({ row: fc.nat(5), field, value: word }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(someRows, fc.array(changes, { maxLength: 8 }), (before, steps) => {
        const states = [openSheet(before)];
        for (const step of steps) {
          const sheet = states.at(-1)!;
          const next = change(sheet, changeRows(sheet.rows, step));
          if (next !== sheet) states.push(next);
        }
        let sheet = states.at(-1)!;
        for (const state of states.toReversed().slice(1)) {
          sheet = undo(sheet);
          expect(sheet.rows).toEqual(state.rows);
        }
        expect(undo(sheet).rows).toEqual(before);
        for (const state of states.slice(1)) {
          sheet = redo(sheet);
          expect(sheet.rows).toEqual(state.rows);
        }
      }),
    );
  });

  it('takes all that was typed into one field as one step', () => {
    let sheet = openSheet([row()]);
    for (const value of ['T', 'Th', 'Tha'])
      sheet = change(sheet, changeRows(sheet.rows, [{ row: 0, field: 'label', value }]), '0 label');
    expect(sheet.rows[0]?.values.label).toBe('Tha');
    expect(undo(sheet).rows[0]?.values.label).toBe('');
    // Once it was left, what is typed there is another step.
    const later = change(
      endTyping(sheet),
      changeRows(sheet.rows, [{ row: 0, field: 'label', value: 'M' }]),
      '0 label',
    );
    expect(undo(later).rows[0]?.values.label).toBe('Tha');
  });
});

describe('a tracklist that someone else changed', () => {
  const side = (titles: string[], of: Row[]) => ({
    keys: listKeys(titles.map((title) => ({ artist: 'x', title }))),
    rows: of,
  });

  it('keeps what was typed with its entry, takes their changes, and names what is gone', () => {
    const before = side(['A', 'B', 'A'], [row(), row(), row({ label: 'L' })]);
    const typed = [row({ isrc: 'typed' }), row({ composer: 'lost' }), row({ label: 'mine' })];
    const theirs = side(
      ['New', 'A', 'A'],
      [row(), row({ composer: 'C' }), row({ label: 'theirs' })],
    );
    const { rows: merged, clashes, lost } = rebaseRows(before, typed, theirs);
    expect(merged).toEqual([row(), row({ composer: 'C', isrc: 'typed' }), row({ label: 'mine' })]);
    expect(clashes).toEqual([{ row: 2, field: 'label', theirs: 'theirs' }]);
    expect(lost).toEqual([before.keys[1]]);
  });

  it('is theirs if nothing was typed, and ours if they changed nothing', () => {
    fc.assert(
      fc.property(someRows, someRows, (one, other) => {
        const titles = one.map((_, index) => `t${index % 2}`);
        const before = side(titles, one);
        const typed = one.map((each, index) => ({
          ...each,
          values: (other[index] ?? each).values,
        }));
        expect(rebaseRows(before, typed, before)).toEqual({ rows: typed, clashes: [], lost: [] });
        const theirs = side(titles, typed);
        expect(rebaseRows(before, one, theirs)).toEqual({ rows: typed, clashes: [], lost: [] });
      }),
    );
  });
});

it('a column is a field, or what the tracklist says', () => {
  expect(COLUMNS.map((_, column) => findField(column))).toEqual([
    ...Array.from({ length: FIRST_FIELD }),
    ...FIELDS,
  ]);
});
