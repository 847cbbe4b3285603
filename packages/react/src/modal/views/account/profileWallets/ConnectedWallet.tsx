import { shortenAddress, type WalletConnection } from '@latchkey/core'
import { pushView } from '@latchkey/modal'
import { parseAccountId } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { Icon, Mark } from '../../../parts/index.tsx'

type ConnectedWalletProps = {
  connection: WalletConnection
  /** Switches to this wallet. Omitted for the current one. */
  onSwitch?: () => void
  onLeave(): void
}

/** A connected wallet with its account and actions. */
export function ConnectedWallet({ connection, onSwitch, onLeave }: ConnectedWalletProps): ReactElement {
  const latchkey = useLatchkey()
  const { profileWallets: t } = useModalMessages()
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
        {accounts.length > 1 && <span className="sub">{t.accounts({ count: accounts.length })}</span>}
      </span>
      {onSwitch !== undefined && (
        <button type="button" className="chip" aria-label={t.switchTo({ wallet: wallet.name })} onClick={onSwitch}>
          {t.switch}
        </button>
      )}
      {onSwitch === undefined && isActive && (
        <button
          type="button"
          className="icon-button"
          aria-label={t.settings({ wallet: wallet.name })}
          onClick={() => pushView(latchkey, { view: 'AccountSettings', params: {} })}
        >
          <Icon name="settings" />
        </button>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label={t.disconnect({ wallet: wallet.name })}
        onClick={onLeave}
      >
        <Icon name="exit" />
      </button>
    </li>
  )
}
