import type { ViewName } from '@latchkey/core'
import { useRef, useState, type FormEvent, type ReactElement, type ReactNode } from 'react'
import { loginPart } from '../../strings/login/texts.ts'
import { usePart } from '../../strings/part.tsx'
import { useStrings } from '../../strings/useStrings.ts'
import { useFirstField } from '../money/useFirstField.ts'
import { Again } from './Again.tsx'
import { CodeField, codeLength } from './CodeField.tsx'
import { describeLogin } from './describeLogin.ts'
import type { LoginConnector } from './loginConnector.ts'
import { Mailed } from './Mailed.tsx'
import { useLoginStep } from './loginStep.ts'

type CodeFormProps = {
  view: ViewName
  /** Whose mailbox the code is in. */
  email: string
  onCode(code: string): void
  connector: LoginConnector
  /** Asks for another code; whether one was sent. Left out where there is no other to ask for. */
  onResend?(): Promise<boolean>
  /** What else to do where no code comes. */
  children?: ReactNode
}

/** Asks for the code of a mail, and hands it on once it is whole. */
export function CodeForm({ view, email, connector, onCode, onResend, children }: CodeFormProps): ReactElement {
  const strings = useStrings()
  const t = usePart(loginPart)
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [isFresh, setIsFresh] = useState(true)
  const step = useLoginStep(view)
  const [isSending, setIsSending] = useState(false)
  useFirstField()
  const isWaiting = step.status === 'working'
  const failure = step.status === 'failed' && !isFresh ? step.error : undefined
  const isWhole = code.length === codeLength
  const submit = (digits: string): void => {
    setIsFresh(false)
    onCode(digits)
  }
  const type = (digits: string): void => {
    if (isWaiting || digits === code) return
    setCode(digits)
    setIsFresh(true)
    if (digits.length === codeLength) submit(digits)
  }
  const resend = async (ask: () => Promise<boolean>): Promise<void> => {
    setIsSending(true)
    const isSent = await ask()
    setIsSending(false)
    if (!isSent) return
    setCode('')
    setIsFresh(true)
    input.current?.focus()
  }
  return (
    <form
      className="login"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (isWhole && !isWaiting) submit(code)
        else input.current?.focus()
      }}
    >
      <Mailed text={t.codeSentTo} email={email} />
      <CodeField
        input={input}
        label={t.code}
        value={code}
        describedBy="code-told"
        isBad={failure !== undefined}
        isLocked={isWaiting}
        onChange={type}
      />
      <p id="code-told" className="code-told" data-tone={failure === undefined ? undefined : 'bad'} role="status">
        {isWaiting ? (
          step.phase === 'wallet' ? (
            t.opening
          ) : (
            t.checking
          )
        ) : failure === undefined ? (
          t.codeHint
        ) : (
          <span role="alert">{describeLogin(t, strings, failure)}</span>
        )}
      </p>
      {onResend !== undefined && (
        <Again
          connector={connector}
          label={t.codeAgain}
          busy={isSending || isWaiting}
          onAgain={() => void resend(onResend)}
        />
      )}
      {children}
      <button
        type="submit"
        className="button"
        data-primary=""
        part="primary"
        aria-disabled={!isWhole || isWaiting}
        aria-busy={isWaiting}
      >
        {t.confirm}
      </button>
    </form>
  )
}
