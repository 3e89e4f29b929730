import { useEffect, useRef } from 'react';

import { useOperationQuery, useToasts } from '../../operations';
import { OperationError } from '../../platform';

/** What endangers the data is said once when the window opens; Settings has it all the time. */
export function useDataWarnings(): void {
  const { data } = useOperationQuery('backup_list');
  const { showError, showToast } = useToasts();
  const isSaid = useRef(false);
  useEffect(() => {
    if (!data || isSaid.current) return;
    isSaid.current = true;
    const fail = (code: 'store_damaged' | 'data_read_only', message: string) =>
      showError(new OperationError('backup_list', { code, message, details: [], retryable: false }));
    if (data.damage !== '') fail('store_damaged', data.damage);
    else if (data.obstacle !== '') fail('data_read_only', data.obstacle);
    else if (data.exposure !== '') showToast(`${data.exposure} (also under Settings, Data and backups)`);
    else if (data.copied_at !== '')
      showToast('This data is a copy or was restored: everything is looked up before it is sent. See Settings.');
  }, [data, showError, showToast]);
}
