import type { DocumentView, QuoteAnswer, QuoteRequest } from '../../bindings/operations';
import { Button, Icon, Tag } from '../../components';
import { useFileSave } from '../../operations/useOperation';

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

export function AnswerDocuments({ answer, request }: { answer: QuoteAnswer; request: QuoteRequest }) {
  if (answer.documents.length === 0) return <p className="none">No documents required in {answer.state_name}.</p>;
  return groupDocuments(answer.documents).map((group) => (
    <section key={group.title} className="answer-documents">
      <h3>{group.title}</h3>
      <ul>
        {group.documents.map((document) => (
          <DocumentRow key={document.key} document={document} request={request} />
        ))}
      </ul>
    </section>
  ));
}

function DocumentRow({ document, request }: { document: DocumentView; request: QuoteRequest }) {
  const download = useFileSave('document_download', ['status']);
  const facts = [
    document.required_for_binding && document.required_for_filing ? 'also for filing' : '',
    document.include_with_policy ? 'include with the policy' : '',
    document.upload_required ? 'must be uploaded' : '',
    document.signature && document.signature !== 'None' ? `signed by ${document.signature.toLowerCase()}` : '',
  ].filter(Boolean);
  return (
    <li className="split">
      <div>
        <span>{document.name}</span> <Tag tone="neutral">{document.code}</Tag>
        {facts.length > 0 && <span className="quiet-text"> {facts.join(', ')}</span>}
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
