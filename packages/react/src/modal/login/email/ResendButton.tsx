import type { ReactElement } from 'react'
import { loginMessages } from '@latchkey/modal/messages'
import { useFlowMessages } from '../../../messages/useFlowMessages.ts'
import { useSecondsUntil } from '../../timing/useSecondsUntil.ts'
import { useLoginState, type LoginConnector } from '../loginConnector.ts'

type ResendButtonProps = {
  connector: LoginConnector
  label: string
  /** True while an email is being sent. */
  busy: boolean
  onAgain(): void
}

/** Sends another email, once the cooldown of the service is over [R5.3.6]. */
export function ResendButton({ connector, label, busy, onAgain }: ResendButtonProps): ReactElement {
  const t = useFlowMessages(loginMessages)
  const { mailAgainAt } = useLoginState(connector.login)
  const seconds = useSecondsUntil(mailAgainAt)
  const mayNot = busy || seconds > 0
  return (
    <p className="again">
      <span>{t.notReceived}</span>
      <button type="button" className="link" aria-disabled={mayNot} onClick={() => mayNot || onAgain()}>
        {seconds > 0 ? t.resendIn({ seconds }) : label}
      </button>
    </p>
  )
}
