import { replaceView, showToast, type Views } from '@latchkey/modal'
import { loginMessages } from '@latchkey/modal/messages'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { verificationView } from '../../../login/email/beginEmailLogin.ts'
import { CodeForm } from '../../../login/email/CodeForm.tsx'
import { describeLogin } from '../../../login/describeLogin.ts'
import type { LoginConnector } from '../../../login/loginConnector.ts'
import { isOnShow, openWallet, takeStep, useLoginStep } from '../../../login/loginStep.ts'
import { LoginFailed, LoginView, OpeningWallet } from '../../../login/LoginView.tsx'
import { usePreloadViews } from '../../../shell/usePreloadViews.ts'

const view = 'EmailVerifyOtp'

/** Asks for the code of the email, and opens the wallet. */
export default function EmailVerifyOtpView({ email }: Views['EmailVerifyOtp']): ReactElement {
  return <LoginView>{(connector) => <Verify connector={connector} email={email} />}</LoginView>
}

function Verify({ connector, email }: { connector: LoginConnector; email: string }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(loginMessages)
  const step = useLoginStep(view)
  const [isOpening] = useState(step.status === 'working' && step.phase === 'wallet')
  const resend = useResend(connector, email)
  const preloadViews = usePreloadViews()
  // The user opens a mail in the meantime.
  useEffect(() => preloadViews('Account'), [preloadViews])
  if (step.status === 'failed' && step.phase === 'wallet') {
    return (
      <LoginFailed
        wallet={connector}
        headline={t.openFailed}
        error={step.error}
        retry={t.tryAgain}
        onRetry={() => openWallet(latchkey, connector, view)}
      />
    )
  }
  // The code is already accepted: the wallet showed a screen in the meantime, and continues.
  if (isOpening && step.status === 'working') return <OpeningWallet connector={connector} />
  return (
    <CodeForm
      view={view}
      connector={connector}
      onResend={resend}
      email={email}
      onCode={(code) =>
        void takeStep(latchkey, connector, view, async () => {
          await connector.login.code(code)
          return true
        })
      }
    />
  )
}

/** Sends another code, or whatever the service requires now. */
function useResend(connector: LoginConnector, email: string): () => Promise<boolean> {
  const latchkey = useLatchkey()
  const strings = useModalMessages()
  const t = useFlowMessages(loginMessages)
  return async () => {
    try {
      const { action, match } = await connector.login.email(email)
      if (!isOnShow(latchkey, view)) return false
      if (action === 'CONNECT') openWallet(latchkey, connector, view)
      else if (action === 'VERIFY_DEVICE') replaceView(latchkey, verificationView(action, email, match))
      else showToast(latchkey, t.codeResent)
      return action === 'VERIFY_OTP'
    } catch (error) {
      if (isOnShow(latchkey, view)) showToast(latchkey, describeLogin(t, strings, error), { variant: 'error' })
      return false
    }
  }
}
