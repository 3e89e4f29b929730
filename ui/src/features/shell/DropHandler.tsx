import { useEffect, useRef, useState } from 'react';

import { usePlatform, useReferenceData, useToasts } from '../../operations';
import type { DroppedFile } from '../../platform';
import { useBatchPlace } from '../../workbench/batchPlace';
import { useDocumentPlace } from '../../workbench/documentPlace';
import { useNavigation } from '../../workbench/navigation';
import { useTransactionPlace } from '../../workbench/transactionPlace';
import { pluralize } from '../../values';
import { MappingFileDialog } from './MappingFileDialog';

/** Earlier versions saved mappings as .json, which is asked for in Mappings alone. */
const MAPPING_NAME = /\.bordereau$/i;

/** `documents.csv` is the list that says which document belongs where. */
export function isSpreadsheet(name: string, endings: readonly string[]): boolean {
  const [ending = '', ...before] = name.toLowerCase().split('.').toReversed();
  return before.length > 0 && endings.includes(ending) && !/(^|[/\\])documents\.csv$/i.test(name);
}

/** Files dropped anywhere: a spreadsheet starts a review, documents go to the open one or to a transaction. */
export function DropHandler() {
  const platform = usePlatform();
  const reference = useReferenceData();
  const { place, startReview, preloadView, setDocuments } = useBatchPlace();
  const { view, go } = useNavigation();
  const { transaction, openDocuments, setPendingUpload } = useDocumentPlace();
  const { transaction: inDetail } = useTransactionPlace();
  // There a spreadsheet is a document too.
  const toDocuments = view === 'documents';
  const { showToast } = useToasts();
  const [over, setOver] = useState(false);
  const [mappings, setMappings] = useState<DroppedFile[]>([]);
  const take = (dropped: DroppedFile[]) => {
    setOver(false);
    const files = dropped.filter((file) => !MAPPING_NAME.test(file.name));
    if (files.length < dropped.length)
      setMappings((waiting) => [...waiting, ...dropped.filter((file) => MAPPING_NAME.test(file.name))]);
    if (files.length === 0) return;
    const upload = () => {
      // To the transaction on screen; one that was open before on another view is none of theirs.
      const onScreen = toDocuments ? transaction : view === 'transactions' ? inDetail : '';
      const target = { transaction_id: onScreen, invoice_number: '' };
      setPendingUpload({ handles: files.map((file) => file.handle), target, code: '' });
      return openDocuments(onScreen);
    };
    if (toDocuments) return upload();
    const tables = files.filter((file) => isSpreadsheet(file.name, reference.data?.table_endings ?? []));
    const [table, ...others] = tables;
    if (table && others.length === 0) return startReview({ kind: 'dropped', handle: table.handle });
    if (table) {
      showToast(`${pluralize(tables.length, 'spreadsheet')} opened as one batch.`);
      return startReview({ kind: 'together', handles: tables.map((file) => file.handle) });
    }
    if (place.at !== 'review' || view !== 'batches') return upload();
    setDocuments(files.map((file) => file.handle));
    return go('batches');
  };
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const hold = (held: boolean) => {
      setOver(held);
      if (held) preloadView();
    };
    const ends = [platform.onDrop((files) => latest.current(files)), platform.onDrag(hold)];
    return () => ends.forEach((end) => end());
  }, [platform, preloadView]);
  const [mapping] = mappings;
  if (mapping && !over) {
    return (
      <MappingFileDialog
        key={mapping.handle}
        handle={mapping.handle}
        fileName={mapping.name}
        onClose={() => setMappings((waiting) => waiting.filter((file) => file !== mapping))}
      />
    );
  }
  if (!over) return null;
  return (
    <div className="drop-veil" aria-hidden="true">
      <p>
        <strong>{toDocuments ? 'Drop documents' : 'Drop a spreadsheet or documents'}</strong>
        <br />
        {toDocuments
          ? 'PDF, images, or Office files'
          : place.at === 'review' && view === 'batches'
            ? 'CSV, XLSX, XLS, or ODS, or a folder of PDFs for the rows on screen'
            : 'CSV, XLSX, XLS, or ODS for a batch; PDF or images for a transaction'}
      </p>
    </div>
  );
}
