import type { ReactElement } from 'react'
import { loginPart } from '../../strings/login/texts.ts'
import { usePart } from '../../strings/part.tsx'
import { useSecondsUntil } from '../useSecondsUntil.ts'
import { useLoginState, type LoginConnector } from './loginConnector.ts'

type AgainProps = {
  connector: LoginConnector
  label: string
  /** A mail is on its way, so that no other is asked for. */
  busy: boolean
  onAgain(): void
}

/** Another mail, as soon as the service sends one [R5.3.6]. */
export function Again({ connector, label, busy, onAgain }: AgainProps): ReactElement {
  const t = usePart(loginPart)
  const { mailAgainAt } = useLoginState(connector.login)
  const seconds = useSecondsUntil(mailAgainAt)
  const mayNot = busy || seconds > 0
  return (
    <p className="again">
      <span>{t.missing}</span>
      <button type="button" className="link" aria-disabled={mayNot} onClick={() => mayNot || onAgain()}>
        {seconds > 0 ? t.againIn(seconds) : label}
      </button>
    </p>
  )
}
