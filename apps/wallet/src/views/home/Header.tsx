import icon from '../../icon.svg'
import type { RelayConnection } from '../../wallet/developerWallet.ts'
import { Icon } from '../components/Icon.tsx'

const labels: { [state in RelayConnection]: string } = {
  idle: 'Ready',
  connecting: 'Connecting',
  open: 'Online',
  waiting: 'No connection, retrying',
  refused: 'Rejected by the relay',
  offline: 'Offline',
  elsewhere: 'Open in another tab',
}

/** Shows the wallet's name, the relay status and the settings button. */
export function Header({ relayConnection, onSettings }: { relayConnection: RelayConnection; onSettings(): void }) {
  return (
    <header className="head">
      <img className="logo" src={icon} alt="" />
      <div className="row-text">
        <h1>Latchkey Wallet</h1>
        <output className="link" data-link={relayConnection}>
          {labels[relayConnection]}
        </output>
      </div>
      <button type="button" className="icon-button" aria-label="Settings" onClick={onSettings}>
        <Icon name="settings" />
      </button>
    </header>
  )
}
