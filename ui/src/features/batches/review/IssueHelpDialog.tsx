import { Fragment } from 'react';

import { Button, Dialog } from '../../../components';
import { GuideBlocks } from '../../../components/GuideBlocks';
import { explainWords } from '../../../components/glossaryMeanings';
import type { GuideBlock } from '../../../values/guideText';
import { useImportFields } from '../bordereauFields';
import { findIssueEntry } from './issueCatalog';

const SEVERITIES: Record<string, string> = {
  error: 'An error: the row can’t be sent until it is repaired or excluded.',
  warning: 'A warning: the row can be sent as it is. Repair it, or keep it with a reason.',
};

/** What a code means, with an example and its repair, from the same catalog as the documentation. */
export function IssueHelpDialog({ code, onClose }: { code: string; onClose(): void }) {
  const { nameFields } = useImportFields();
  const entry = findIssueEntry(code);
  const named = (block: GuideBlock): GuideBlock =>
    block.kind === 'quote' || block.kind === 'text' ? { ...block, text: nameFields(block.text) } : block;
  const texts = entry?.blocks.map((block) => ('text' in block ? nameFields(block.text) : '')) ?? [];
  const words = explainWords([entry?.title, ...texts].join(' '));
  return (
    <Dialog title={entry?.title ?? 'What is this?'} onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
      <div className="stack issue-help">
        {entry ? (
          <>
            <p>{SEVERITIES[entry.severity]}</p>
            <h3>An example</h3>
            <GuideBlocks blocks={entry.blocks.map(named)} />
            {entry.repair === 'by hand' && <p>Repair it by hand: type the correct value.</p>}
            {words.length > 0 && (
              <>
                <h3>Words</h3>
                <dl className="word-meanings">
                  {words.map(({ word, meaning }) => (
                    <Fragment key={word}>
                      <dt>{word}</dt>
                      <dd>{meaning}</dd>
                    </Fragment>
                  ))}
                </dl>
              </>
            )}
          </>
        ) : (
          <p>This issue has no entry in the catalog of this version. Its own message says what to do.</p>
        )}
      </div>
    </Dialog>
  );
}
