import type { ReactElement, ReactNode } from 'react'
import { loginMessages } from '@latchkey/modal/messages'
import { FlowMessages } from '../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { Icon, StatusPanel } from '../parts/index.tsx'
import { useViewStyles } from '../shell/shadowRoot.ts'
import { describeLogin } from './describeLogin.ts'
import { loginCss } from './login.css.ts'
import { useLogin, type LoginConnector } from './loginConnector.ts'

/** Renders a login view once its texts are loaded. Shows a notice if the app has no embedded wallet. */
export function LoginView({ children }: { children(connector: LoginConnector): ReactNode }): ReactElement {
  useViewStyles(loginCss)
  const { errors } = useModalMessages()
  const connector = useLogin()
  if (connector === undefined) return <p className="hint center">{errors['connector/not-found'] ?? errors.other}</p>
  return <FlowMessages chunk={loginMessages}>{children(connector)}</FlowMessages>
}

/** Shown after the login, while the embedded wallet opens. */
export function OpeningWallet({ connector }: { connector: LoginConnector }): ReactElement {
  const t = useFlowMessages(loginMessages)
  return <StatusPanel wallet={connector} state="waiting" headline={t.opening} hint={t.openingHint} />
}

type FailedProps = {
  /** The wallet, or the provider of the login. */
  wallet: { name: string; icon?: string }
  headline: string
  error: unknown
  retry: string
  onRetry(): void
}

/** Shows a failed login, and a button that tries again. */
export function LoginFailed({ wallet, headline, error, retry, onRetry }: FailedProps): ReactElement {
  const strings = useModalMessages()
  const t = useFlowMessages(loginMessages)
  return (
    <>
      <StatusPanel wallet={wallet} state="failed" headline={headline} hint={describeLogin(t, strings, error)} />
      <button type="button" className="button" data-primary="" part="primary" onClick={onRetry}>
        <Icon name="retry" />
        {retry}
      </button>
    </>
  )
}
