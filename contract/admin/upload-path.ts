/** The address of the tus protocol. */
export const UPLOAD_PATH = '/api/admin/uploads';
