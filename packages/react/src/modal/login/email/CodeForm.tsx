import type { ViewName } from '@latchkey/modal'
import { loginMessages } from '@latchkey/modal/messages'
import { useRef, useState, type FormEvent, type ReactElement, type ReactNode, type RefObject } from 'react'
import { useFlowMessages } from '../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../messages/useModalMessages.ts'
import { useFirstField } from '../../money/useFirstField.ts'
import { ResendButton } from './ResendButton.tsx'
import { CodeField, codeLength } from './CodeField.tsx'
import { describeLogin } from '../describeLogin.ts'
import type { LoginConnector } from '../loginConnector.ts'
import { MailNotice } from './MailNotice.tsx'
import { useLoginStep } from '../loginStep.ts'

type CodeFormProps = {
  view: ViewName
  /** The address that the code was sent to. */
  email: string
  onCode(code: string): void
  connector: LoginConnector
  /** Sends another code. Returns true if it was sent. Omitted if there is no other code. */
  onResend?(): Promise<boolean>
  /** Further actions for users who receive no code. */
  children?: ReactNode
}

/** Asks for the code of an email, and submits it once it is complete. */
export function CodeForm({ view, email, connector, onCode, onResend, children }: CodeFormProps): ReactElement {
  const t = useFlowMessages(loginMessages)
  const { input, code, failure, phase, isWaiting, isSending, type, submit, resend } = useCodeEntry(view, onCode)
  useFirstField()
  return (
    <form
      className="login"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        submit()
      }}
    >
      <MailNotice text={t.codeSentTo} email={email} />
      <CodeField
        input={input}
        label={t.code}
        value={code}
        describedBy="code-status"
        isBad={failure !== undefined}
        isLocked={isWaiting}
        onChange={type}
      />
      <CodeNotice phase={phase} isWaiting={isWaiting} failure={failure} />
      {onResend !== undefined && (
        <ResendButton
          connector={connector}
          label={t.resendCode}
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
        aria-disabled={code.length !== codeLength || isWaiting}
        aria-busy={isWaiting}
      >
        {t.confirm}
      </button>
    </form>
  )
}

type CodeEntry = {
  input: RefObject<HTMLInputElement | null>
  code: string
  /** The error of the last attempt, until the code changes. */
  failure: unknown
  phase: 'wallet' | undefined
  isWaiting: boolean
  isSending: boolean
  type(digits: string): void
  submit(): void
  resend(sendAgain: () => Promise<boolean>): Promise<void>
}

/** Holds the typed code, and submits it once it is complete. */
function useCodeEntry(view: ViewName, onCode: (code: string) => void): CodeEntry {
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [isFresh, setIsFresh] = useState(true)
  const [isSending, setIsSending] = useState(false)
  const step = useLoginStep(view)
  const isWaiting = step.status === 'working'
  const send = (digits: string): void => {
    setIsFresh(false)
    onCode(digits)
  }
  const change = (digits: string): void => {
    setCode(digits)
    setIsFresh(true)
  }
  return {
    input,
    code,
    failure: step.status === 'failed' && !isFresh ? step.error : undefined,
    phase: step.status === 'working' && step.phase === 'wallet' ? 'wallet' : undefined,
    isWaiting,
    isSending,
    type(digits) {
      if (isWaiting || digits === code) return
      change(digits)
      if (digits.length === codeLength) send(digits)
    },
    submit() {
      if (code.length === codeLength && !isWaiting) send(code)
      else input.current?.focus()
    },
    async resend(sendAgain) {
      setIsSending(true)
      const isSent = await sendAgain()
      setIsSending(false)
      if (!isSent) return
      change('')
      input.current?.focus()
    },
  }
}

type CodeNoticeProps = Pick<CodeEntry, 'phase' | 'isWaiting' | 'failure'>

/** The line under the code field: a hint, the progress, or the error. */
function CodeNotice({ phase, isWaiting, failure }: CodeNoticeProps): ReactElement {
  const strings = useModalMessages()
  const t = useFlowMessages(loginMessages)
  const progress = phase === 'wallet' ? t.opening : t.checking
  const hint = failure === undefined ? t.codeHint : <span role="alert">{describeLogin(t, strings, failure)}</span>
  return (
    <p id="code-status" className="code-status" data-tone={failure === undefined ? undefined : 'bad'} role="status">
      {isWaiting ? progress : hint}
    </p>
  )
}
