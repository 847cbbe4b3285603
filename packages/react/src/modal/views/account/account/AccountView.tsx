import type { AccountState } from '@latchkey/core'
import { pushView } from '@latchkey/modal'
import { useState, type ReactElement, type ReactNode } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { useConnections } from '../../../../hooks/useConnections.ts'
import { useIdentity } from '../../../../hooks/useIdentity.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { DisconnectButton } from '../../../parts/DisconnectButton.tsx'
import { EmailText } from '../../../login/email/EmailText.tsx'
import { useLoginOf, useLoginState, type LoginConnector } from '../../../login/loginConnector.ts'
import { getLoginName } from '../../../login/settings/getLoginName.ts'
import { SocialMark } from '../../../login/social/SocialMark.tsx'
import { Icon, Mark, Row } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { accountCss } from './account.css.ts'
import { Actions } from './Actions.tsx'
import { Address } from './Address.tsx'
import { Avatar } from './Avatar.tsx'
import { Holdings } from './Holdings.tsx'
import { NativeBalance } from './NativeBalance.tsx'
import { NotConnected } from './NotConnected.tsx'
import { useSupported } from './useSupported.ts'
import { TotalValue } from './TotalValue.tsx'

/** Shows the connected account, its assets, and the button that disconnects. */
export default function AccountView(): ReactElement {
  const account = useAccount()
  // Keeps the last account on screen while the modal closes after a disconnect.
  const [last, setLast] = useState(account)
  if (account.status === 'connected' && account !== last) setLast(account)
  useViewStyles(accountCss)
  if (account.status === 'connected') return <Connected account={account} />
  return account.status === 'disconnected' && last.status === 'connected' ? (
    <Connected account={last} />
  ) : (
    <NotConnected account={account} />
  )
}

function Connected({ account }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const latchkey = useLatchkey()
  const { account: t } = useModalMessages()
  const { address, network } = account
  const { data: identity } = useIdentity(account.account)
  const supported = useSupported()
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === network.chainNamespace)
  const explorer = adapter?.explorerUrl(network, { address })
  return (
    <>
      <div className="account">
        <div className="identity">
          <Avatar address={address} identity={identity} />
          {identity?.name !== undefined && <p className="headline person">{identity.name}</p>}
          <Address address={address} before={<SettingsButton />} />
          <NativeBalance />
          {supported('balances') && <TotalValue />}
        </div>
        <Actions />
        <Wallet wallet={account.wallet} connectorId={account.connectorId} />
        <Holdings />
      </div>
      <div className="buttons account-actions">
        {explorer !== undefined && (
          <a className="button" href={explorer} target="_blank" rel="noopener noreferrer">
            <Icon name="external" />
            {t.explorer}
          </a>
        )}
        <DisconnectButton />
      </div>
    </>
  )
}

function SettingsButton(): ReactElement {
  const latchkey = useLatchkey()
  const { account: t } = useModalMessages()
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={t.settings}
      onClick={() => pushView(latchkey, { view: 'AccountSettings', params: {} })}
    >
      <Icon name="settings" />
    </button>
  )
}

type WalletProps = { wallet: { name: string; icon?: string }; connectorId: string }

/** The wallet of the account, with a link to all wallets. */
function Wallet({ wallet, connectorId }: WalletProps): ReactElement {
  const connector = useLoginOf(connectorId)
  if (connector !== undefined) return <LoggedIn wallet={wallet} connector={connector} />
  return <WalletRow mark={<Mark name={wallet.name} icon={wallet.icon} />} name={wallet.name} />
}

/** The embedded wallet, with the name of the user who is logged in. */
function LoggedIn({ wallet, connector }: Pick<WalletProps, 'wallet'> & { connector: LoginConnector }): ReactElement {
  const { user } = useLoginState(connector.login)
  const name = user === undefined ? undefined : getLoginName(user)
  const mark = (
    <span className="mark" aria-hidden="true">
      <SocialMark of={user?.social ?? 'email'} />
    </span>
  )
  return <WalletRow mark={mark} name={name === undefined ? wallet.name : <EmailText text={name} />} />
}

function WalletRow({ mark, name }: { mark: ReactNode; name: ReactNode }): ReactElement {
  const latchkey = useLatchkey()
  const { account: t } = useModalMessages()
  const count = new Set(useConnections().map(({ connectorId }) => connectorId)).size
  return (
    <ul className="rows">
      <Row
        mark={mark}
        name={name}
        sub={t.wallets}
        tag={count > 1 ? <bdi dir="ltr">{`+${count - 1}`}</bdi> : undefined}
        end="forward"
        onChoose={() => pushView(latchkey, { view: 'ProfileWallets', params: {} })}
      />
    </ul>
  )
}
