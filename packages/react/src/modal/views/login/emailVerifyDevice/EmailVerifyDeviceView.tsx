import { replaceView, showToast, type Views } from '@latchkey/modal'
import { loginMessages } from '@latchkey/modal/messages'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { ResendButton } from '../../../login/email/ResendButton.tsx'
import { awaitDeviceApproval, verificationView } from '../../../login/email/beginEmailLogin.ts'
import { describeLogin } from '../../../login/describeLogin.ts'
import type { LoginConnector } from '../../../login/loginConnector.ts'
import { isOnShow, openWallet, statusOf, useLoginStep } from '../../../login/loginStep.ts'
import { LoginFailed, LoginView } from '../../../login/LoginView.tsx'
import { MailNotice } from '../../../login/email/MailNotice.tsx'
import { useSlow } from '../../../timing/useSlow.ts'

const view = 'EmailVerifyDevice'

/** Waits until the link in the email is approved. Shows the two digits that its page asks for. */
export default function EmailVerifyDeviceView(params: Views['EmailVerifyDevice']): ReactElement {
  return <LoginView>{(connector) => <PendingApproval connector={connector} {...params} />}</LoginView>
}

type Mail = { match: string | undefined; round: number }

function PendingApproval({
  connector,
  email,
  match,
}: Views['EmailVerifyDevice'] & { connector: LoginConnector }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(loginMessages)
  const step = useLoginStep(view)
  const [mail, setMail] = useState<Mail>({ match, round: 0 })
  const { busy, sendAgain } = useSendAgain(connector, email, (next) =>
    setMail(({ round }) => ({ match: next, round: round + 1 })),
  )
  const isSlow = useSlow(step.status === 'working' ? `${email} ${mail.round}` : undefined)
  useEffect(() => {
    if (statusOf(latchkey, view) === 'idle') awaitDeviceApproval(latchkey, connector, email)
    // The view waits once. A resent link is awaited by the code that sent it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [latchkey, email])
  if (step.status === 'failed') {
    return (
      <LoginFailed
        wallet={connector}
        headline={t.deviceFailed}
        error={step.error}
        retry={t.resendLink}
        onRetry={sendAgain}
      />
    )
  }
  return (
    <>
      <MailNotice text={t.linkSentTo} email={email}>
        {mail.match !== undefined && (
          <>
            <p className="hint">{t.digitsHint}</p>
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
      </MailNotice>
      <p className="code-status" role="status">
        {isSlow ? t.mailSlow : t.deviceWaiting}
      </p>
      <ResendButton connector={connector} label={t.resendLink} busy={busy} onAgain={sendAgain} />
    </>
  )
}

/** Sends another link. The previous one stays valid until then. */
function useSendAgain(
  connector: LoginConnector,
  email: string,
  onSent: (match: string | undefined) => void,
): { busy: boolean; sendAgain(): void } {
  const latchkey = useLatchkey()
  const strings = useModalMessages()
  const t = useFlowMessages(loginMessages)
  const [busy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    setBusy(true)
    try {
      const { action, match } = await connector.login.email(email)
      if (!isOnShow(latchkey, view)) return
      if (action === 'CONNECT') openWallet(latchkey, connector, view)
      else if (action === 'VERIFY_OTP') replaceView(latchkey, verificationView(action, email))
      else {
        onSent(match)
        awaitDeviceApproval(latchkey, connector, email)
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
