import { Button, Dialog, ENVIRONMENT_DESCRIPTIONS, ENVIRONMENT_LABELS, Tag } from '../../components';
import { useProfiles } from '../../operations';

interface Props {
  onClose(): void;
  onUse(id: string): void;
  /** To where profiles are added and changed. */
  onEdit(): void;
}

/** The profiles with their environment; the one in use first in focus. */
export function ProfileSwitcher({ onClose, onUse, onEdit }: Props) {
  const profiles = useProfiles().data?.profiles ?? [];
  return (
    <Dialog title="Switch profile" onClose={onClose} foot={<Button onClick={onEdit}>Add or edit profiles…</Button>}>
      {profiles.map(({ profile, active, missing }) => (
        <button
          key={profile.id}
          type="button"
          className="profile-choice"
          data-environment={profile.environment}
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={active}
          aria-current={active ? 'true' : undefined}
          onClick={() => onUse(profile.id)}
        >
          <span className="word">{ENVIRONMENT_LABELS[profile.environment]}</span>
          <span>
            <strong>{profile.name}</strong>
            <br />
            <span className="quiet-text">
              {missing.length > 0 ? `Missing: ${missing.join(', ')}` : ENVIRONMENT_DESCRIPTIONS[profile.environment]}
            </span>
          </span>
          {active && (
            <Tag tone="ok" icon>
              in use
            </Tag>
          )}
        </button>
      ))}
      {profiles.length === 1 && (
        <p className="hint">To work with a real account, add a profile with its address and key.</p>
      )}
    </Dialog>
  );
}
