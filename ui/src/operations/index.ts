/** How a view asks the core and does something with it, and how it tells the person. */
export { usePlatform } from './platform';
export { useToasts } from './toasts';
export { useConflictToast } from './useConflictToast';
export { useEditableSettings } from './useEditableSettings';
export { useEventStatus } from './useEventUpdates';
export {
  findActiveProfile,
  useFileSave,
  useOperationAction,
  useOperationMutation,
  useOperationQuery,
  useProfiles,
  useQuoteList,
  useReferenceData,
  QUOTE_QUERIES,
  useRunAlone,
  useSecretsStatus,
  useServiceStatus,
  useSettings,
} from './useOperation';
export { describeOutbox, formatDuration, useOutboxStatus } from './useOutboxStatus';
export { usePrint } from './usePrint';
export { useTypedQuery } from './useTypedQuery';
