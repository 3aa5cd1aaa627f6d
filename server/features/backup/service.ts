export { readBackupState, recordBackup } from './backup-state.ts';
