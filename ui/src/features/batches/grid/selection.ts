/** Shared by all grids. */
export * from '../../../components/grid/selection';
