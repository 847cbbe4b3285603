import { useAccount, useLatchkey, useLatchkeyEvents, useModal } from '@latchkey/react'
import { useState, type ReactElement } from 'react'
import type { SiteConfig } from '../app/siteConfig.ts'
import { AccountCard } from '../components/AccountCard.tsx'
import { NamespacesCard, RawAccounts } from '../components/NamespacesCard.tsx'
import { SendCard } from '../components/SendCard.tsx'
import { SignCard } from '../components/SignCard.tsx'
import { SwitchCard } from '../components/SwitchCard.tsx'

/** Shows the hooks' values for the connected account, and its actions. */
export default function AccountPage({ config }: { config: SiteConfig }): ReactElement {
  const { adapters } = useLatchkey()
  const account = useAccount()
  const { open } = useModal()
  const [left, setLeft] = useState(false)
  const adapter = adapters.find(({ namespace }) => namespace === account.network?.chainNamespace)
  useLatchkeyEvents((event) => {
    if (event.type === 'disconnect') setLeft(event.by === 'wallet')
    if (event.type === 'connect') setLeft(false)
  })
  return (
    <div className="page">
      <h1>Account</h1>
      {account.status === 'connected' ? (
        <div className="cards">
          <AccountCard account={account} tokens={config.tokens} />
          <SwitchCard />
          <SignCard />
          {adapter?.canSendTransactions !== false && (
            <SendCard key={account.network.chainNamespace} currency={account.network.nativeCurrency} />
          )}
        </div>
      ) : (
        <section className="card empty">
          <h2>{account.status === 'disconnected' ? 'No wallet is connected' : 'Waiting for the wallet'}</h2>
          <p>
            {account.status === 'disconnected'
              ? 'Connect one to see its address and balances here, and to sign and send with it.'
              : 'It appears here as soon as the wallet responds.'}
          </p>
          {left && (
            <p role="alert">
              The wallet ended the connection. If a request was pending, check the wallet before you try again.
            </p>
          )}
          {account.status === 'disconnected' && (
            <button type="button" className="button primary" onClick={() => open()}>
              Connect a wallet
            </button>
          )}
        </section>
      )}
      {adapters.length > 1 && <NamespacesCard />}
      <RawAccounts />
    </div>
  )
}
