import { Button, Checkbox, Dialog } from '../../../components';
import { useEditableSettings } from '../../../operations';

const NOTICE_DAYS = [
  { days: 30, label: '30 days ahead' },
  { days: 15, label: '15 days ahead' },
  { days: 3, label: '3 days ahead' },
  { days: 0, label: 'On the day' },
];

/** When the desktop shows a notice about a due date. */
export function DueNoticesDialog({ onClose }: { onClose(): void }) {
  const { settings, updateSettings } = useEditableSettings();
  const days = settings.due_notice_days;
  const change = (day: number, isOn: boolean) =>
    updateSettings({ due_notice_days: isOn ? [...days, day] : days.filter((each) => each !== day) });
  return (
    <Dialog title="Notices about due dates" onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
      <p>Shown on the desktop while Bordereau is open, even in the background.</p>
      {NOTICE_DAYS.map((choice) => (
        <Checkbox
          key={choice.days}
          label={choice.label}
          checked={days.includes(choice.days)}
          onChange={(isOn) => change(choice.days, isOn)}
        />
      ))}
    </Dialog>
  );
}
