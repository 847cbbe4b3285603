import type { Account } from '../../namespaces/namespaceAdapter.ts'
import type { AppIdentity } from '../../wallet/appIdentity.ts'
import type { ProposalSupport } from '../../wallet/proposalSupport.ts'
import type { SignInMessage } from '../../wallet/signInMessage.ts'
import { AccountRow } from '../components/AccountRow.tsx'
import { ReadableText } from '../components/ReadableText.tsx'
import type { Origin } from '../../wallet/developerWallet.ts'
import { AppLine } from './AppLine.tsx'
import { SignInContent } from './SignInContent.tsx'

type ProposalContentProps = {
  app: AppIdentity
  origin: Origin
  support: ProposalSupport
  chosen: readonly Account[]
  onChoose(accounts: readonly Account[]): void
  /** The sign-in messages to sign with the connection. */
  texts: readonly SignInMessage[]
  signsIn: boolean
  onSignIn(signsIn: boolean): void
}

/** Shows a session proposal: the app, its requested networks and methods, and the accounts to share. */
export function ProposalContent({ app, origin, support, chosen, onChoose, ...signIn }: ProposalContentProps) {
  const { networks, methods, accounts, obstacle } = support
  return (
    <>
      <AppLine app={app} origin={origin} />
      {obstacle !== undefined && (
        <p className="caution" role="alert">
          {obstacle} You can only reject it.
        </p>
      )}
      {accounts.length > 0 && (
        <fieldset>
          <legend>Accounts to share</legend>
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
      <section className="requested">
        <h3 id="requested-networks">Requested networks</h3>
        <ul aria-labelledby="requested-networks">
          {networks.map(({ chainId, name, isSupported, isRequired }) => (
            <li key={chainId} data-supported={isSupported}>
              <bdi>{name}</bdi>
              <small>{isSupported ? 'Supported' : isRequired ? 'Required, not supported' : 'Not supported'}</small>
            </li>
          ))}
        </ul>
      </section>
      <details className="more">
        <summary>Methods it may request, with your approval each time</summary>
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
