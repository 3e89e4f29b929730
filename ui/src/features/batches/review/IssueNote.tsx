import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';

import type { IssueView } from '../../../bindings/operations';
import { Button, Icon } from '../../../components';
import { fixLabel } from './IssueGroups';
import { IssueHelp } from './IssueHelp';
import { useToasts } from '../../../operations';
import { formatMoney } from '../../../values';
import type { CellAnchor } from '../../../components/grid/useGridPlaces';
import { useDebounced } from '../../../components/useDebounced';
import { useOperationQuery } from '../../../operations/useOperation';
import { useImportFields } from '../bordereauFields';

interface Props {
  id: string;
  row: number;
  /** Column of the table; null for what is wrong with the row. */
  column: number | null;
  anchor: CellAnchor;
  onFix(issue: IssueView): void;
  /** Keeps it as it is, once a reason is given. */
  onKeep(issue: IssueView): void;
  /** Opens one that was kept again. */
  onOpen(issue: IssueView): void;
  /** Back to the grid. */
  onLeave(): void;
}

const REST_MS = 120;
const GAP = 6;
const EDGE = 8;

/** What is wrong with the active cell, why, and its repair. */
export function IssueNote({ id, row, column, anchor, onFix, onKeep, onOpen, onLeave }: Props) {
  const { announce } = useToasts();
  // Arrow keys held down pass over many cells: the note waits for the one they end on.
  const where = `${row} ${column}`;
  const rested = useDebounced(where, REST_MS) === where;
  const { data } = useOperationQuery('review_issues', { id, row, column }, { enabled: rested, cacheMs: 60_000 });
  const box = useRef<HTMLDivElement>(null);
  const place = useNotePosition(box, anchor, data);
  const spoken = data?.issues.map((issue) => `${issue.title}. ${issue.message}`).join(' ') ?? '';
  useEffect(() => {
    if (spoken !== '') announce(spoken);
  }, [spoken, announce]);
  if (!rested || !data || data.issues.length === 0) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onLeave();
  };
  return (
    // Escape leads back to the grid from any of its buttons.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={box}
      id="issue-note"
      className="floating issue-note"
      role="group"
      aria-label="Issues in this cell"
      style={place}
      onKeyDown={onKeyDown}
    >
      {data.issues.map((issue) => (
        <IssueDetails key={`${issue.code} ${issue.message}`} {...{ issue, onFix, onKeep, onOpen }} />
      ))}
    </div>
  );
}

type IssueProps = { issue: IssueView } & Pick<Props, 'onFix' | 'onKeep' | 'onOpen'>;

/** One issue with its repair, its reason and why. */
export function IssueDetails({ issue, onFix, onKeep, onOpen }: IssueProps) {
  const [why, setWhy] = useState(false);
  const { nameFields } = useImportFields();
  // Not every screen reader reads what is announced: its buttons say what is wrong, too.
  const described = { 'aria-describedby': useId() };
  return (
    <section>
      <h2>
        <span
          className={issue.kept !== null ? 'sign-kept' : issue.severity === 'error' ? 'sign-error' : 'sign-warning'}
        >
          <Icon name={issue.kept !== null ? 'check' : issue.severity === 'error' ? 'error' : 'warning'} />
        </span>
        {issue.title}
        <span className="only-read">, {issue.kept === null ? issue.severity : 'kept'}</span>
      </h2>
      <p id={described['aria-describedby']}>
        {nameFields(
          issue.place === '' || issue.message.startsWith('Row ') ? issue.message : `${issue.place}. ${issue.message}`,
        )}
      </p>
      {issue.calculated !== null && (
        <dl className="amounts">
          <dt>Provided</dt>
          <dd className="num">{issue.provided === null ? 'none' : formatMoney(issue.provided)}</dd>
          <dt>Calculated</dt>
          <dd className="num">{formatMoney(issue.calculated)}</dd>
          {issue.difference !== null && (
            <>
              <dt>Difference</dt>
              <dd className="num differs">{formatMoney(issue.difference)}</dd>
            </>
          )}
        </dl>
      )}
      {issue.kept !== null && (
        <p>
          Kept: <b>{issue.kept}</b>
        </p>
      )}
      <div className="buttons">
        {issue.fix !== null && (
          <Button look="primary" small {...described} onClick={() => onFix(issue)}>
            {fixLabel(issue.fix, issue.fix_label ?? 'Repair')}
          </Button>
        )}
        {issue.severity === 'warning' && issue.kept === null && (
          <Button small {...described} onClick={() => onKeep(issue)}>
            {issue.provided === null ? 'Keep…' : `Keep ${formatMoney(issue.provided)}…`}
          </Button>
        )}
        {issue.kept !== null && (
          <Button small {...described} onClick={() => onOpen(issue)}>
            Reopen
          </Button>
        )}
        {issue.why !== null && (
          <Button look="quiet" small {...described} aria-expanded={why} onClick={() => setWhy(!why)}>
            {issue.calculated === null ? 'Why?' : `Why ${formatMoney(issue.calculated)}?`}
          </Button>
        )}
        <IssueHelp code={issue.code} />
      </div>
      {why && <p className="why-line">{issue.why}</p>}
    </section>
  );
}

/** Below the cell, or above it where there is more room, never over it: what is longer scrolls. */
function useNotePosition(
  box: { current: HTMLElement | null },
  anchor: CellAnchor,
  data: unknown,
): { left: number; top: number; maxHeight: number } {
  const [size, setSize] = useState({ width: 344, height: 200 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const resized = new ResizeObserver(() => setSize({ width: element.offsetWidth, height: element.offsetHeight }));
    resized.observe(element);
    return () => resized.disconnect();
  }, [box, data]);
  const below = anchor.bottom + GAP;
  const roomBelow = anchor.height - EDGE - below;
  const roomAbove = anchor.top - GAP - EDGE;
  const isBelow = size.height <= roomBelow || roomBelow >= roomAbove;
  return {
    left: Math.max(EDGE, Math.min(anchor.left, anchor.width - size.width - EDGE)),
    top: isBelow ? below : Math.max(EDGE, anchor.top - GAP - size.height),
    maxHeight: isBelow ? roomBelow : roomAbove,
  };
}
