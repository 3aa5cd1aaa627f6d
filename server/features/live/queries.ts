import type { Db } from '../../db/connect.ts';
import type { SignalsTable } from '../../db/tables.ts';

export const insertSignal = (tx: Db, signal: SignalsTable) =>
  tx.insertInto('signals').values(signal).execute();

export const deleteSignals = (tx: Db, topic: string) =>
  tx.deleteFrom('signals').where('topic', '=', topic).execute();

export const listSignalsSince = (db: Db, since: number): Promise<SignalsTable[]> =>
  db
    .selectFrom('signals')
    .selectAll()
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
