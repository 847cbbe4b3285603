import { pushView, shortenAddress, type WalletConnection } from '@latchkey/core'
import { parseAccountId } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { Icon, Mark } from '../../parts.tsx'

type ConnectedWalletProps = {
  connection: WalletConnection
  /** Goes on with this one; left out for the one in use. */
  onSwitch?: () => void
  onLeave(): void
}

/** A connected wallet, its account, and what can be done with it. */
export function ConnectedWallet({ connection, onSwitch, onLeave }: ConnectedWalletProps): ReactElement {
  const latchkey = useLatchkey()
  const { profileWallets: t } = useStrings()
  const { wallet, account, accounts, namespace } = connection
  const isActive = latchkey.wallet.getState().active === namespace
  return (
    <li className="row wallet-row" part="row">
      <Mark name={wallet.name} icon={wallet.icon} />
      <span className="text">
        <span className="name">{wallet.name}</span>
        <span className="sub">
          <bdi dir="ltr">{shortenAddress(parseAccountId(account).address)}</bdi>
        </span>
        {accounts.length > 1 && <span className="sub">{t.accounts(accounts.length)}</span>}
      </span>
      {onSwitch !== undefined && (
        <button type="button" className="chip" aria-label={t.switchTo(wallet.name)} onClick={onSwitch}>
          {t.switch}
        </button>
      )}
      {onSwitch === undefined && isActive && (
        <button
          type="button"
          className="icon-button"
          aria-label={t.settings(wallet.name)}
          onClick={() => pushView(latchkey, { view: 'AccountSettings', params: {} })}
        >
          <Icon name="settings" />
        </button>
      )}
      <button type="button" className="icon-button" aria-label={t.disconnect(wallet.name)} onClick={onLeave}>
        <Icon name="exit" />
      </button>
    </li>
  )
}
