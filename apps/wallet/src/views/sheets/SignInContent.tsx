import type { SignInMessage } from '../../wallet/signInMessage.ts'
import { ReadableText } from '../components/ReadableText.tsx'

type SignInContentProps = {
  texts: readonly SignInMessage[]
  signsIn: boolean
  onSignIn(signsIn: boolean): void
}

/** Shows the sign-in messages of a proposal. The user can decline them. */
export function SignInContent({ texts, signsIn, onSignIn }: SignInContentProps) {
  return (
    <fieldset>
      <legend>This app also asks you to sign in</legend>
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
