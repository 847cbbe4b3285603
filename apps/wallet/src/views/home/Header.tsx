import icon from '../../icon.svg'
import type { Link } from '../../wallet/developerWallet.ts'
import { Icon } from '../parts/Icon.tsx'

const words: { [link in Link]: string } = {
  idle: 'Ready',
  connecting: 'Connecting',
  open: 'Online',
  waiting: 'No connection, retrying',
  refused: 'Refused by the relay',
  offline: 'Offline',
  elsewhere: 'Open elsewhere',
}

/** Who this is, whether apps can reach it, and the way to the settings. */
export function Header({ link, onSettings }: { link: Link; onSettings(): void }) {
  return (
    <header className="head">
      <img className="logo" src={icon} alt="" />
      <div className="row-text">
        <h1>Latchkey Wallet</h1>
        <output className="link" data-link={link}>
          {words[link]}
        </output>
      </div>
      <button type="button" className="icon-button" aria-label="Settings" onClick={onSettings}>
        <Icon name="settings" />
      </button>
    </header>
  )
}
