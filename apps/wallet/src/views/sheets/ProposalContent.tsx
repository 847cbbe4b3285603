import type { Account } from '../../families/family.ts'
import type { AppIdentity } from '../../wallet/appIdentity.ts'
import type { Offer } from '../../wallet/offer.ts'
import type { SignInText } from '../../wallet/signIn.ts'
import { AccountRow } from '../parts/AccountRow.tsx'
import { ReadableText } from '../parts/ReadableText.tsx'
import type { Origin } from '../../wallet/developerWallet.ts'
import { AppLine } from './AppLine.tsx'
import { SignInContent } from './SignInContent.tsx'

type ProposalContentProps = {
  app: AppIdentity
  origin: Origin
  offer: Offer
  chosen: readonly Account[]
  onChoose(accounts: readonly Account[]): void
  /** What it wants signed along with the connection. */
  texts: readonly SignInText[]
  signsIn: boolean
  onSignIn(signsIn: boolean): void
}

/** An app that wants to connect: who it says it is, what it asks for, and what of the wallet it shall see. */
export function ProposalContent({ app, origin, offer, chosen, onChoose, ...signIn }: ProposalContentProps) {
  const { networks, methods, accounts, obstacle } = offer
  return (
    <>
      <AppLine app={app} origin={origin} />
      {obstacle !== undefined && (
        <p className="caution" role="alert">
          {obstacle} It can only be rejected.
        </p>
      )}
      {accounts.length > 0 && (
        <fieldset>
          <legend>Accounts it may see</legend>
          <div className="card">
            {accounts.map((account) => (
              <AccountRow
                key={account.address}
                account={account}
                type="checkbox"
                name="shared"
                isChosen={chosen.includes(account)}
                onChange={(isChosen) =>
                  onChoose(isChosen ? [...chosen, account] : chosen.filter((each) => each !== account))
                }
              />
            ))}
          </div>
        </fieldset>
      )}
      {signIn.texts.length > 0 && <SignInContent {...signIn} />}
      <section className="asked">
        <h3 id="asked-networks">Networks it asks for</h3>
        <ul aria-labelledby="asked-networks">
          {networks.map(({ chainId, name, isSupported, isRequired }) => (
            <li key={chainId} data-supported={isSupported}>
              <bdi>{name}</bdi>
              <small>{isSupported ? 'Supported' : isRequired ? 'Required, not supported' : 'Not supported'}</small>
            </li>
          ))}
        </ul>
      </section>
      <details className="more">
        <summary>What it may ask for, with your approval each time</summary>
        <ul className="methods">
          {methods.map(({ name, isSupported }) => (
            <li key={name}>
              <code>
                <ReadableText text={name} />
              </code>
              <small>{isSupported ? 'Supported' : 'Not supported'}</small>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}
