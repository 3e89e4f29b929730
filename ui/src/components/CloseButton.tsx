import { Icon } from './Icon';

/** Closes or removes what it stands beside; its label names it. */
export function CloseButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <button type="button" className="icon-button" aria-label={label} onClick={onClick}>
      <Icon name="close" />
    </button>
  );
}
