import { useState } from 'react';

import type { DocumentView, QuoteAnswer, QuoteRequest } from '../../bindings/operations';
import { Button, Icon, Tag } from '../../components';
import { useFileSave } from '../../operations/useOperation';
import { formatDate } from '../../values';

const DOCUMENT_GROUPS: { title: string; has(document: DocumentView): boolean }[] = [
  { title: 'Before binding', has: (document) => document.required_for_binding },
  { title: 'For filing', has: (document) => document.required_for_filing },
  { title: 'Keep on hand', has: (document) => document.keep_on_hand },
  { title: 'Other', has: () => true },
];

/** Each document once, under the first thing it is needed for. */
function groupDocuments(documents: DocumentView[]): { title: string; documents: DocumentView[] }[] {
  const groups = DOCUMENT_GROUPS.map(({ title }) => ({ title, documents: [] as DocumentView[] }));
  for (const document of documents) {
    const at = DOCUMENT_GROUPS.findIndex((group) => group.has(document));
    groups[at]?.documents.push(document);
  }
  return groups.filter((group) => group.documents.length > 0);
}

/** Documents that apply; those for other types, dates and kinds of business on request, each with the reason. */
export function AnswerDocuments({ answer, request }: { answer: QuoteAnswer; request: QuoteRequest }) {
  const [withOthers, setWithOthers] = useState(false);
  const applying = answer.documents.filter((document) => document.left_out === null);
  const others = answer.documents.filter((document) => document.left_out !== null);
  return (
    <>
      {applying.length === 0 && <p className="none">No documents required in {answer.state_name}.</p>}
      {groupDocuments(applying).map((group) => (
        <DocumentSection key={group.title} title={group.title} documents={group.documents} request={request} />
      ))}
      {others.length > 0 && (
        <p className="answer-documents">
          <Button small aria-expanded={withOthers} onClick={() => setWithOthers(!withOthers)}>
            {withOthers ? 'Hide' : 'Show'} documents that don’t apply ({others.length})
          </Button>
        </p>
      )}
      {withOthers && <DocumentSection title="Don’t apply to this quote" documents={others} request={request} />}
    </>
  );
}

interface SectionProps {
  title: string;
  documents: DocumentView[];
  request: QuoteRequest;
}

function DocumentSection({ title, documents, request }: SectionProps) {
  return (
    <section className="answer-documents">
      <h3>{title}</h3>
      <ul>
        {documents.map((document) => (
          <DocumentRow key={document.key} document={document} request={request} />
        ))}
      </ul>
    </section>
  );
}

/** Everything the service says of a document, in words. */
function describeDocument(document: DocumentView): string {
  const { active_from: from, active_until: until, edited_at: edited } = document;
  return [
    document.required_for_binding ? 'before binding' : '',
    document.required_for_filing ? 'for filing' : '',
    document.include_with_policy ? 'include with the policy' : '',
    document.include_in_diligent_effort ? 'part of the diligent effort' : '',
    document.upload_required ? 'must be uploaded' : '',
    document.keep_on_hand ? 'keep on hand' : '',
    document.signature && document.signature !== 'None' ? `signed by ${document.signature.toLowerCase()}` : '',
    document.transaction_types.length > 0 ? `for ${document.transaction_types.join(', ')}` : '',
    ...document.conditions.map((condition) => condition.charAt(0).toLowerCase() + condition.slice(1)),
    from ? `since ${formatDate(from)}` : '',
    until ? `until ${formatDate(until)}` : '',
    edited ? `changed ${formatDate(edited)}` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

function DocumentRow({ document, request }: { document: DocumentView; request: QuoteRequest }) {
  const download = useFileSave('form_template_download', ['status_show']);
  const facts = describeDocument(document);
  return (
    <li className="split">
      <div>
        <span>{document.name}</span> <Tag tone="neutral">{document.code}</Tag>
        {facts !== '' && <span className="quiet-text"> {facts}</span>}
        {document.left_out !== null && <p>{document.left_out}.</p>}
        {document.note && <p className="quiet-text">{document.note}</p>}
      </div>
      {document.downloadable && (
        <Button
          small
          busy={download.isPending}
          aria-label={`Download ${document.name}`}
          onClick={() => download.save({ request, key: document.key })}
        >
          <Icon name="download" /> Download
        </Button>
      )}
    </li>
  );
}
