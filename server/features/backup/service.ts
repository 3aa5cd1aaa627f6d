export { saveBackup, type Place } from './backup.ts';
export { restoreBackup } from './restore.ts';
