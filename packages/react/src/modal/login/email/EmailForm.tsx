import { isLatchkeyError } from '@latchkey/protocol'
import { useState, type FormEvent, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { loginMessages } from '@latchkey/modal/messages'
import { useFlowMessages } from '../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../messages/useModalMessages.ts'
import { Icon } from '../../parts/index.tsx'
import { usePreloadViews } from '../../shell/usePreloadViews.ts'
import { useDebounced } from '../../timing/useDebounced.ts'
import { useSecondsUntil } from '../../timing/useSecondsUntil.ts'
import { correctEmail, isEmail } from './correctEmail.ts'
import { beginEmailLogin } from './beginEmailLogin.ts'
import { describeLogin } from '../describeLogin.ts'
import { useLoginState, type LoginConnector } from '../loginConnector.ts'
import { forgetFailure, useLoginStep, type LoginStep } from '../loginStep.ts'
import { SocialMark } from '../social/SocialMark.tsx'

/** Delay after the last key [R9.1.6], in milliseconds. */
const quietMilliseconds = 500
/** The minimum length of an address. */
const shortest = 4

type EmailFormProps = {
  connector: LoginConnector
  view: 'Connect' | 'EmailLogin'
  /** True if the field receives the initial focus. */
  first?: boolean
}

/** Asks for the email address of a login. */
export function EmailForm({ connector, view, first = false }: EmailFormProps): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(loginMessages)
  const [typed, setTyped] = useState('')
  const [isRefused, setIsRefused] = useState(false)
  const step = useLoginStep(view)
  const preloadViews = usePreloadViews()
  const isWaiting = step.status === 'working'
  const email = typed.trim()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isWaiting) return
    setIsRefused(!isEmail(email))
    if (!isEmail(email)) return
    preloadViews('EmailVerifyOtp', 'EmailVerifyDevice')
    beginEmailLogin(latchkey, connector, view, email)
  }
  const type = (text: string): void => {
    setIsRefused(false)
    forgetFailure(latchkey)
    // The first letter starts the login, so that the wallet can prepare.
    if (typed === '') connector.login.preload?.()
    setTyped(text)
  }
  const isBad = isRefused || (step.status === 'failed' && isLatchkeyError(step.error, 'embedded/invalid-email'))
  return (
    <form className="email" noValidate onSubmit={submit}>
      <div className="field" part="field">
        <SocialMark of="email" />
        <input
          type="email"
          name="email"
          data-first={first ? '' : undefined}
          aria-label={t.email}
          aria-describedby="login-status"
          aria-invalid={isBad}
          placeholder={t.placeholder}
          value={typed}
          readOnly={isWaiting}
          autoComplete="email"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          onChange={({ target }) => type(target.value)}
        />
        {isWaiting ? (
          <span className="spinner" aria-hidden="true" />
        ) : (
          <button type="submit" className="icon-button" aria-label={t.next} hidden={email.length < shortest}>
            <Icon name="forward" />
          </button>
        )}
      </div>
      <EmailNotice connector={connector} step={step} typed={email} isRefused={isRefused} onCorrect={type} />
    </form>
  )
}

type EmailNoticeProps = {
  connector: LoginConnector
  step: LoginStep
  typed: string
  isRefused: boolean
  onCorrect(email: string): void
}

/** The line under the field: a correction, the progress, or the error. */
function EmailNotice({ connector, step, typed, isRefused, onCorrect }: EmailNoticeProps): ReactElement {
  const strings = useModalMessages()
  const t = useFlowMessages(loginMessages)
  const settled = useDebounced(typed, quietMilliseconds)
  const { mailAgainAt } = useLoginState(connector.login)
  const seconds = useSecondsUntil(mailAgainAt)
  const meant = settled === typed ? correctEmail(typed) : undefined
  const failure = step.status === 'failed' ? step.error : undefined
  const isEarly = isLatchkeyError(failure, 'embedded/cooldown')
  // The cooldown error disappears once the cooldown is over.
  const isOver = isEarly && mailAgainAt !== undefined && seconds === 0
  const problem = isRefused
    ? t.invalid
    : failure === undefined || isOver
      ? undefined
      : isEarly && seconds > 0
        ? t.cooldown({ seconds })
        : describeLogin(t, strings, failure)
  return (
    <p id="login-status" className="status-text" data-tone={problem === undefined ? undefined : 'bad'} role="status">
      {problem}
      {step.status === 'working' && <span className="hidden">{step.phase === 'wallet' ? t.opening : t.sending}</span>}
      {step.status !== 'working' && meant !== undefined && (
        <EmailSuggestion email={meant} onChoose={() => onCorrect(meant)} />
      )}
    </p>
  )
}

/** Suggests a corrected address, as a button inside the sentence. */
function EmailSuggestion({ email, onChoose }: { email: string; onChoose(): void }): ReactElement {
  const t = useFlowMessages(loginMessages)
  const [before = '', after = ''] = t.didYouMean({ email: '\n' }).split('\n')
  return (
    <span>
      {before}
      <button type="button" className="link" onClick={onChoose}>
        <bdi dir="ltr">{email}</bdi>
      </button>
      {after}
    </span>
  )
}
