import { replaceView, showToast, type Views } from '@latchkey/core'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { loginPart } from '../../../strings/login/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { useStrings } from '../../../strings/useStrings.ts'
import { verification } from '../../login/beginLogin.ts'
import { CodeForm } from '../../login/CodeForm.tsx'
import { describeLogin } from '../../login/describeLogin.ts'
import type { LoginConnector } from '../../login/loginConnector.ts'
import { isOnShow, openWallet, takeStep, useLoginStep } from '../../login/loginStep.ts'
import { LoginFailed, LoginView, OpeningWallet } from '../../login/LoginView.tsx'

const view = 'EmailVerifyOtp'

/** Asks for the code of the mail, and opens the wallet with it. */
export default function EmailVerifyOtpView({ email }: Views['EmailVerifyOtp']): ReactElement {
  return <LoginView>{(connector) => <Verify connector={connector} email={email} />}</LoginView>
}

function Verify({ connector, email }: { connector: LoginConnector; email: string }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(loginPart)
  const step = useLoginStep(view)
  const [isOpening] = useState(step.status === 'working' && step.phase === 'wallet')
  const resend = useResend(connector, email)
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
  // The code is in already: the wallet was seen in between, and goes on.
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

/** Asks for another code, or for what the service wants instead by now. */
function useResend(connector: LoginConnector, email: string): () => Promise<boolean> {
  const latchkey = useLatchkey()
  const strings = useStrings()
  const t = usePart(loginPart)
  return async () => {
    try {
      const { action, match } = await connector.login.email(email)
      if (!isOnShow(latchkey, view)) return false
      if (action === 'CONNECT') openWallet(latchkey, connector, view)
      else if (action === 'VERIFY_DEVICE') replaceView(latchkey, verification(action, email, match))
      else showToast(latchkey, t.codeResent)
      return action === 'VERIFY_OTP'
    } catch (error) {
      if (isOnShow(latchkey, view)) showToast(latchkey, describeLogin(t, strings, error), { variant: 'error' })
      return false
    }
  }
}
