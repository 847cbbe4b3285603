import { resetView, type AccountState } from '@latchkey/core'
import { useState, type ReactElement } from 'react'
import { avatarGradient } from '../../../avatar.ts'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { DisconnectButton } from '../../parts/DisconnectButton.tsx'
import { useViewStyles } from '../../shadowRoot.ts'
import { Address } from './Address.tsx'
import { accountCss } from './account.css.ts'
import { NativeBalance } from './NativeBalance.tsx'
import { Tokens } from './Tokens.tsx'
import { Icon, Standing } from '../../parts.tsx'

/** Who is connected, what he holds, and the way out. */
export default function AccountView(): ReactElement {
  const account = useAccount()
  // What was last on show stays while the modal closes behind a wallet that left.
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
  const { adapters } = useLatchkey()
  const { account: t } = useStrings()
  const { address, network } = account
  const adapter = adapters.find(({ namespace }) => namespace === network.chainNamespace)
  const explorer = adapter?.explorerUrl(network, { address })
  return (
    <>
      <div className="identity">
        <span className="avatar" part="avatar" style={{ background: avatarGradient(address) }} />
        <Address address={address} />
        <NativeBalance />
      </div>
      <Tokens />
      <div className="buttons">
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

function NotConnected({ account }: { account: AccountState }): ReactElement {
  const latchkey = useLatchkey()
  const { account: t, connect } = useStrings()
  if (account.status !== 'disconnected') {
    return <Standing wallet={{ name: t.title }} state="waiting" headline={t.title} hint={t.reconnecting} />
  }
  return (
    <button
      type="button"
      className="button"
      data-primary=""
      part="primary"
      onClick={() => resetView(latchkey, { view: 'Connect', params: {} })}
    >
      {connect.title}
    </button>
  )
}
