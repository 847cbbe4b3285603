import type { ReactElement, ReactNode } from 'react'
import { loginPart } from '../../strings/login/texts.ts'
import { Spoken, usePart } from '../../strings/part.tsx'
import { useStrings } from '../../strings/useStrings.ts'
import { Icon, Standing } from '../parts.tsx'
import { useViewStyles } from '../shadowRoot.ts'
import { describeLogin } from './describeLogin.ts'
import { loginCss } from './login.css.ts'
import { useLogin, type LoginConnector } from './loginConnector.ts'

/** A view of the logins, once its words are there; a sentence where the app has no such wallet. */
export function LoginView({ children }: { children(connector: LoginConnector): ReactNode }): ReactElement {
  useViewStyles(loginCss)
  const { errors } = useStrings()
  const connector = useLogin()
  if (connector === undefined) return <p className="hint center">{errors['connector/not-found'] ?? errors.other}</p>
  return <Spoken part={loginPart}>{children(connector)}</Spoken>
}

/** The visitor is logged in, and his wallet is opened. */
export function OpeningWallet({ connector }: { connector: LoginConnector }): ReactElement {
  const t = usePart(loginPart)
  return <Standing wallet={connector} state="waiting" headline={t.opening} hint={t.openingHint} />
}

type FailedProps = {
  /** Whose it was: the wallet, or the provider of a login. */
  wallet: { name: string; icon?: string }
  headline: string
  error: unknown
  retry: string
  onRetry(): void
}

/** What did not work, and the way on. */
export function LoginFailed({ wallet, headline, error, retry, onRetry }: FailedProps): ReactElement {
  const strings = useStrings()
  const t = usePart(loginPart)
  return (
    <>
      <Standing wallet={wallet} state="failed" headline={headline} hint={describeLogin(t, strings, error)} />
      <button type="button" className="button" data-primary="" part="primary" onClick={onRetry}>
        <Icon name="retry" />
        {retry}
      </button>
    </>
  )
}
