/** The first choice where none must be made. */
export const NOT_SPECIFIED = { code: '', name: 'Not specified' };
