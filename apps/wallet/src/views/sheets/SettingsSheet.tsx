import { Choice, Switch } from '../components/Choice.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { setSettings } from '../../wallet/start.ts'
import { useWallet, useWalletState } from '../useStore.ts'

/** Changes the wallet's behavior, for tests of an app against any kind of wallet, and its theme. */
export function SettingsSheet({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const wallet = useWallet()
  const { settings } = useWalletState()
  return (
    <Sheet
      isOpen={isOpen}
      title="Settings"
      contentKey="settings"
      onClose={onClose}
      footer={
        <button type="button" className="primary" onClick={onClose}>
          Done
        </button>
      }
    >
      <Choice
        legend="Responses"
        value={settings.responseMode}
        options={[
          { value: 'ask', label: 'Ask me' },
          { value: 'approve', label: 'Approve all' },
          { value: 'reject', label: 'Reject all' },
        ]}
        onChoose={(responseMode) => setSettings(wallet, { responseMode })}
      />
      <div className="card">
        <Switch
          label="Slow responses"
          hint="Delays each response by three seconds"
          isOn={settings.isSlow}
          onChange={(isSlow) => setSettings(wallet, { isSlow })}
        />
        <Switch
          label="Offline"
          hint="Closes the connection to the relay"
          isOn={settings.isOffline}
          onChange={(isOffline) => setSettings(wallet, { isOffline })}
        />
      </div>
      <Choice
        legend="Appearance"
        value={settings.theme}
        options={[
          { value: 'system', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
        onChoose={(theme) => setSettings(wallet, { theme })}
      />
    </Sheet>
  )
}
