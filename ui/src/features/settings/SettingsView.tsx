import './settings.css';

import { ViewHeader } from '../../components';
import { PlaceList } from '../../components/PlaceList';
import { type SettingsSection, useNavigation } from '../../workbench/navigation';
import { AboutPanel } from './AboutPanel';
import { AgencyPanel } from './AgencyPanel';
import { AppearancePanel } from './AppearancePanel';
import { DataPanel } from './DataPanel';
import { KeychainPanel } from './KeychainPanel';
import { LockPanel } from './LockPanel';
import { OfficePanel } from './OfficePanel';
import { ProfilesPanel } from './ProfilesPanel';
import { RulesPanel } from './RulesPanel';
import { UnreadAnswersPanel } from './UnreadAnswersPanel';

const SECTIONS: { place: SettingsSection; title: string; hint: string }[] = [
  { place: 'profiles', title: 'Profiles', hint: 'Service address and sign-in' },
  { place: 'keychain', title: 'Keychain', hint: 'Where keys and sign-ins are saved' },
  { place: 'data', title: 'Data and backups', hint: 'Backups, checks, and export' },
  { place: 'office', title: 'Office database', hint: 'One workspace for the whole office' },
  { place: 'lock', title: 'Lock', hint: 'When the window asks for a passphrase' },
  { place: 'responses', title: 'Responses', hint: 'What the service sent that wasn’t understood' },
  { place: 'agency', title: 'Agency', hint: 'Name, logo, and sheet template' },
  { place: 'appearance', title: 'Appearance', hint: 'Theme, size, and first view' },
  { place: 'rules', title: 'Rules and updates', hint: 'Rules packs, newer versions, and policy' },
  { place: 'about', title: 'About', hint: 'Version and licenses' },
];

const PLACES = SECTIONS.map(({ place, title, hint }) => ({
  id: place,
  title: (
    <>
      <strong>{title}</strong>
      <span className="quiet-text">{hint}</span>
    </>
  ),
}));

const PANELS = {
  profiles: ProfilesPanel,
  keychain: KeychainPanel,
  data: DataPanel,
  office: OfficePanel,
  lock: LockPanel,
  responses: UnreadAnswersPanel,
  agency: AgencyPanel,
  appearance: AppearancePanel,
  rules: RulesPanel,
  about: AboutPanel,
};

export function SettingsView() {
  const { section, go } = useNavigation();
  const Panel = PANELS[section];
  return (
    <div className="view settings">
      <ViewHeader title="Settings" />
      <div className="view-body settings-body">
        <PlaceList
          label="Settings"
          places={PLACES}
          current={section}
          onChoose={(id) => go('settings', id as SettingsSection)}
        />
        <div className="panel">
          <Panel />
        </div>
      </div>
    </div>
  );
}
