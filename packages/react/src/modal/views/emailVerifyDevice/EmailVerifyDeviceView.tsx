import { replaceView, showToast, type Views } from '@latchkey/core'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { loginPart } from '../../../strings/login/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { useStrings } from '../../../strings/useStrings.ts'
import { Again } from '../../login/Again.tsx'
import { awaitDevice, verification } from '../../login/beginLogin.ts'
import { describeLogin } from '../../login/describeLogin.ts'
import type { LoginConnector } from '../../login/loginConnector.ts'
import { isOnShow, openWallet, statusOf, useLoginStep } from '../../login/loginStep.ts'
import { LoginFailed, LoginView } from '../../login/LoginView.tsx'
import { Mailed } from '../../login/Mailed.tsx'
import { useSlow } from '../../useSlow.ts'

const view = 'EmailVerifyDevice'

/** Waits until the link in the mail was approved, with the two digits that its page asks for. */
export default function EmailVerifyDeviceView(asked: Views['EmailVerifyDevice']): ReactElement {
  return <LoginView>{(connector) => <Waiting connector={connector} {...asked} />}</LoginView>
}

type Mail = { match: string | undefined; round: number }

function Waiting({
  connector,
  email,
  match,
}: Views['EmailVerifyDevice'] & { connector: LoginConnector }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(loginPart)
  const step = useLoginStep(view)
  const [mail, setMail] = useState<Mail>({ match, round: 0 })
  const { busy, sendAgain } = useSendAgain(connector, email, (next) =>
    setMail(({ round }) => ({ match: next, round: round + 1 })),
  )
  const isSlow = useSlow(step.status === 'working' ? `${email} ${mail.round}` : undefined)
  useEffect(() => {
    if (statusOf(latchkey, view) === 'idle') awaitDevice(latchkey, connector, email)
    // Its own view asks once; another link is waited for by whoever asked for it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [latchkey, email])
  if (step.status === 'failed') {
    return (
      <LoginFailed
        wallet={connector}
        headline={t.deviceFailed}
        error={step.error}
        retry={t.linkAgain}
        onRetry={sendAgain}
      />
    )
  }
  return (
    <>
      <Mailed text={t.linkSentTo} email={email}>
        {mail.match !== undefined && (
          <>
            <p className="hint">{t.matchHint}</p>
            <p className="match">
              <span className="hidden">{[...mail.match].join(' ')}</span>
              {[...mail.match].map((digit, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- a digit is its place
                <span key={`digit ${index}`} aria-hidden="true">
                  {digit}
                </span>
              ))}
            </p>
          </>
        )}
      </Mailed>
      <p className="code-told" role="status">
        {isSlow ? t.mailSlow : t.deviceWaiting}
      </p>
      <Again connector={connector} label={t.linkAgain} busy={busy} onAgain={sendAgain} />
    </>
  )
}

/** Asks for another link; the one before is waited for as long as there is none. */
function useSendAgain(
  connector: LoginConnector,
  email: string,
  onSent: (match: string | undefined) => void,
): { busy: boolean; sendAgain(): void } {
  const latchkey = useLatchkey()
  const strings = useStrings()
  const t = usePart(loginPart)
  const [busy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    setBusy(true)
    try {
      const { action, match } = await connector.login.email(email)
      if (!isOnShow(latchkey, view)) return
      if (action === 'CONNECT') openWallet(latchkey, connector, view)
      else if (action === 'VERIFY_OTP') replaceView(latchkey, verification(action, email))
      else {
        onSent(match)
        awaitDevice(latchkey, connector, email)
        showToast(latchkey, t.linkResent)
      }
    } catch (error) {
      if (isOnShow(latchkey, view)) showToast(latchkey, describeLogin(t, strings, error), { variant: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return { busy, sendAgain: () => void (busy || send()) }
}
