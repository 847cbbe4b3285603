import { isLatchkeyError } from '@latchkey/protocol'
import { useState, type FormEvent, type ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { loginPart } from '../../strings/login/texts.ts'
import { usePart } from '../../strings/part.tsx'
import { useStrings } from '../../strings/useStrings.ts'
import { Icon } from '../parts.tsx'
import { useDebounced } from '../useDebounced.ts'
import { useSecondsUntil } from '../useSecondsUntil.ts'
import { correctEmail, isEmail } from './addresses.ts'
import { beginEmail } from './beginLogin.ts'
import { describeLogin } from './describeLogin.ts'
import { useLoginState, type LoginConnector } from './loginConnector.ts'
import { forgetFailure, useLoginStep, type LoginStep } from './loginStep.ts'
import { SocialMark } from './SocialMark.tsx'

/** After the last key, somebody seems to be done [R9.1.6]. */
const quietMilliseconds = 500
/** From this length on there may be an address. */
const shortest = 4

type EmailFormProps = {
  connector: LoginConnector
  view: 'Connect' | 'EmailLogin'
  /** Whether it is what the view is there for. */
  first?: boolean
}

/** An address to log in by. */
export function EmailForm({ connector, view, first = false }: EmailFormProps): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(loginPart)
  const [typed, setTyped] = useState('')
  const [isRefused, setIsRefused] = useState(false)
  const step = useLoginStep(view)
  const isWaiting = step.status === 'working'
  const email = typed.trim()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isWaiting) return
    setIsRefused(!isEmail(email))
    if (isEmail(email)) beginEmail(latchkey, connector, view, email)
  }
  const type = (text: string): void => {
    setIsRefused(false)
    forgetFailure(latchkey)
    // With the first letter a login begins.
    if (typed === '') connector.login.warm?.()
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
          aria-describedby="login-told"
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
      <Told connector={connector} step={step} typed={email} isRefused={isRefused} onCorrect={type} />
    </form>
  )
}

type ToldProps = {
  connector: LoginConnector
  step: LoginStep
  typed: string
  isRefused: boolean
  onCorrect(email: string): void
}

/** What there is to say of what was typed, or of what became of it. */
function Told({ connector, step, typed, isRefused, onCorrect }: ToldProps): ReactElement {
  const strings = useStrings()
  const t = usePart(loginPart)
  const settled = useDebounced(typed, quietMilliseconds)
  const { mailAgainAt } = useLoginState(connector.login)
  const seconds = useSecondsUntil(mailAgainAt)
  const meant = settled === typed ? correctEmail(typed) : undefined
  const failure = step.status === 'failed' ? step.error : undefined
  const isEarly = isLatchkeyError(failure, 'embedded/cooldown')
  // An address that has to wait need not wait any more once the time is over.
  const isOver = isEarly && mailAgainAt !== undefined && seconds === 0
  const problem = isRefused
    ? t.invalid
    : failure === undefined || isOver
      ? undefined
      : isEarly && seconds > 0
        ? t.cooldown(seconds)
        : describeLogin(t, strings, failure)
  return (
    <p id="login-told" className="told" data-tone={problem === undefined ? undefined : 'bad'} role="status">
      {problem}
      {step.status === 'working' && <span className="hidden">{step.phase === 'wallet' ? t.opening : t.sending}</span>}
      {step.status !== 'working' && meant !== undefined && <Meant email={meant} onChoose={() => onCorrect(meant)} />}
    </p>
  )
}

/** The address that was probably meant, within the sentence that asks for it. */
function Meant({ email, onChoose }: { email: string; onChoose(): void }): ReactElement {
  const t = usePart(loginPart)
  const [before = '', after = ''] = t.meant('\n').split('\n')
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
