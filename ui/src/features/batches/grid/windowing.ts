/** Shared with the transactions. */
export * from '../../../components/grid/windowing';
