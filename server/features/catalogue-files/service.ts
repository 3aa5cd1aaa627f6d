export { exportCatalogue } from './export-catalogue.ts';
export { finishImport, importCatalogue } from './import-catalogue.ts';
export { readCatalogue, type SavedCatalogue } from './manifest.ts';
