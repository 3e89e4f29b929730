import './settings.css';

import { ViewHeader } from '../../components';
import { PlaceList } from '../../components/PlaceList';
import { useNavigation } from '../../workbench/navigation';
import { SETTINGS_SECTIONS, type SettingsSection } from '../../workbench/settingsSections';
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

const PLACES = SETTINGS_SECTIONS.map(({ place, title, hint }) => ({
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
