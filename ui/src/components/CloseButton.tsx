import { Icon } from './Icon';

/** Closes or removes what it is next to; its label names it. */
export function CloseButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <button type="button" className="icon-button" aria-label={label} onClick={onClick}>
      <Icon name="close" />
    </button>
  );
}
