import type { SignInText } from '../../wallet/signIn.ts'
import { ReadableText } from '../parts/ReadableText.tsx'

type SignInContentProps = {
  texts: readonly SignInText[]
  signsIn: boolean
  onSignIn(signsIn: boolean): void
}

/** What an app wants signed along with the connection, which the owner may leave out. */
export function SignInContent({ texts, signsIn, onSignIn }: SignInContentProps) {
  return (
    <fieldset>
      <legend>It also asks you to sign in</legend>
      <div className="card">
        <label className="row">
          <span className="row-text">{texts.length === 1 ? 'Sign this message' : 'Sign these messages'}</span>
          <input type="checkbox" checked={signsIn} onChange={(event) => onSignIn(event.target.checked)} />
        </label>
      </div>
      {texts.map(({ accountId, text }) => (
        <section key={accountId} className="quote" aria-label="Message">
          <ReadableText text={text} />
        </section>
      ))}
    </fieldset>
  )
}
