import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';

import type { NoteView, QuoteAnswer, QuoteRequest } from '../../bindings/operations';
import { Icon, Tag } from '../../components';
import { UntrustedHtml } from '../../components/UntrustedHtml';
import { AnswerDocuments } from './AnswerDocuments';
import { ServiceRules } from './ServiceRules';
import { StampWordings } from './StampWordings';
import { SourceLink } from './ChargeExplanation';

/** Stamp wording, notes and documents of an answer. */
export function AnswerDetails({ answer, request }: { answer: QuoteAnswer; request: QuoteRequest }) {
  const warnings = answer.notes.filter((note) => note.severity === 'warning').length;
  const applying = answer.documents.filter((document) => document.left_out === null);
  const binding = applying.filter((document) => document.required_for_binding).length;
  const differing = answer.rules.filter((rule) => rule.differs).length;
  return (
    <Tabs className="tabs details">
      <TabList aria-label="Result details">
        <Tab id="stamp">Stamp wording</Tab>
        <Tab id="notes">
          Notes
          {answer.notes.length > 0 && (
            <Tag tone={warnings > 0 ? 'warn' : 'neutral'}>
              {answer.notes.length}
              {warnings > 0 && <span className="only-read"> with warnings</span>}
            </Tag>
          )}
        </Tab>
        <Tab id="documents">
          Documents
          {binding > 0 ? (
            <Tag tone="error">{binding} before binding</Tag>
          ) : (
            applying.length > 0 && <Tag tone="neutral">{applying.length}</Tag>
          )}
        </Tab>
        {answer.rules.length > 0 && (
          <Tab id="rules">
            Rules
            {differing > 0 && (
              <Tag tone="warn">
                {differing}
                <span className="only-read"> that differ</span>
              </Tag>
            )}
          </Tab>
        )}
      </TabList>
      <TabPanel id="stamp">
        <StampWordings stamps={answer.stamps} state={answer.state_name} />
      </TabPanel>
      <TabPanel id="notes">
        <AnswerNotes notes={answer.notes} state={answer.state_name} />
      </TabPanel>
      <TabPanel id="documents">
        <AnswerDocuments answer={answer} request={request} />
      </TabPanel>
      {answer.rules.length > 0 && (
        <TabPanel id="rules">
          <ServiceRules rules={answer.rules} />
        </TabPanel>
      )}
    </Tabs>
  );
}

function AnswerNotes({ notes, state }: { notes: NoteView[]; state: string }) {
  if (notes.length === 0) return <p className="none">No notes for this quote in {state}.</p>;
  return (
    <ul className="stack notes">
      {notes.map((note) => (
        <li key={`${note.topic} ${note.html}`} className={note.severity}>
          <Icon name={note.severity === 'warning' ? 'warning' : 'info'} />
          <div>
            <span className="only-read">{note.severity === 'warning' ? 'Warning: ' : 'Note:  '}</span>
            {note.topic && <h3>{note.topic}</h3>}
            <UntrustedHtml html={note.html} />
            {note.source && <SourceLink title={note.source.title} url={note.source.url} />}
          </div>
        </li>
      ))}
    </ul>
  );
}
