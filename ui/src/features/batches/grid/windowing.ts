/** Shared with the transactions. */
export * from '../../../components/grid/rowWindow';
