import { useAccount, useLatchkey, useLatchkeyEvents, useModal } from '@latchkey/react'
import { useState, type ReactElement } from 'react'
import type { SiteConfig } from '../app/config.ts'
import { AccountCard } from '../parts/AccountCard.tsx'
import { FamiliesCard, RawAccounts } from '../parts/FamiliesCard.tsx'
import { SendCard } from '../parts/SendCard.tsx'
import { SignCard } from '../parts/SignCard.tsx'
import { SwitchCard } from '../parts/SwitchCard.tsx'

/** What the hooks tell of the connected account, and what can be done with it. */
export default function AccountPage({ config }: { config: SiteConfig }): ReactElement {
  const { adapters } = useLatchkey()
  const account = useAccount()
  const { open } = useModal()
  const [left, setLeft] = useState(false)
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
          <SendCard key={account.network.chainNamespace} currency={account.network.nativeCurrency} />
        </div>
      ) : (
        <section className="card empty">
          <h2>{account.status === 'disconnected' ? 'No wallet is connected' : 'Waiting for the wallet'}</h2>
          <p>
            {account.status === 'disconnected'
              ? 'Connect one to see its address and balances here, and to sign and send with it.'
              : 'It appears here as soon as the wallet answers.'}
          </p>
          {left && (
            <p role="alert">
              The wallet ended the connection. If it was asked for something, look into it before you ask again.
            </p>
          )}
          {account.status === 'disconnected' && (
            <button type="button" className="button primary" onClick={() => open()}>
              Connect a wallet
            </button>
          )}
        </section>
      )}
      {adapters.length > 1 && <FamiliesCard />}
      <RawAccounts />
    </div>
  )
}
