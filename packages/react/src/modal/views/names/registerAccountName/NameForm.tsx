import type { AccountState } from '@latchkey/core'
import { isName, minimumNameLength } from '@latchkey/core/internal'
import { namesMessages, type NamesMessages } from '@latchkey/modal/messages'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type FormEvent, type ReactElement, type RefObject } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { suggestionsQuery } from '../../../../queries/namesQuery.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useFirstField } from '../../../money/useFirstField.ts'
import { useDebounced } from '../../../timing/useDebounced.ts'
import { useSlow } from '../../../timing/useSlow.ts'
import { Suggestions } from './Suggestions.tsx'
import { useRegistration, type RegistrationState } from './useRegistration.ts'

type NameFormProps = { account: AccountState & { status: 'connected' }; suffix: string }

/** Delay after the last key, in milliseconds. */
const quietMilliseconds = 150

type Availability = 'empty' | 'characters' | 'short' | 'checking' | 'free' | 'taken' | 'unknown'

/** The form that checks a name and registers it, with suggestions. */
export function NameForm({ account, suffix }: NameFormProps): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(namesMessages)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const settled = useDebounced(typed, quietMilliseconds)
  const { data, isError } = useQuery(suggestionsQuery(latchkey, settled, isName(settled)), queryClientOf(latchkey))
  const wallet = account.wallet.name
  const { state, register, forget } = useRegistration(account.account, wallet)
  const isSigning = state.status === 'signing'
  const isSlow = useSlow(isSigning ? typed : undefined)
  useFirstField()

  const known = typed === settled ? data : undefined
  const exact = known?.find(({ name }) => name === typed + suffix)
  const availability = availabilityOf(typed, {
    exact,
    isKnown: known !== undefined,
    isError: isError && typed === settled,
  })
  const type = (text: string): void => {
    if (isSigning) return
    forget()
    setTyped(text.trim().toLowerCase())
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isName(typed) && availability !== 'taken') register(typed)
    else input.current?.focus()
  }
  const notice = nameNotice(t, state, availability, { wallet, isSlow })
  return (
    <form className="name-form" onSubmit={submit}>
      <NameField
        input={input}
        value={typed}
        suffix={suffix}
        isBad={notice.tone === 'bad'}
        isLocked={isSigning}
        onChange={type}
      />
      <p id="name-status" className="name-status" data-tone={notice.tone} role={notice.isNews ? 'alert' : 'status'}>
        {notice.text}
      </p>
      <Suggestions
        suggestions={isName(typed) ? (data ?? []) : []}
        suffix={suffix}
        typed={typed}
        onChoose={(label) => {
          type(label)
          input.current?.focus()
        }}
      />
      <RegisterButton isDisabled={isSigning || !isName(typed) || availability === 'taken'}>
        {isSigning ? t.approve({ wallet }) : t.register}
      </RegisterButton>
    </form>
  )
}

function RegisterButton({ isDisabled, children }: { isDisabled: boolean; children: string }): ReactElement {
  return (
    <button type="submit" className="button" part="primary" data-primary="" aria-disabled={isDisabled}>
      {children}
    </button>
  )
}

type NameFieldProps = {
  input: RefObject<HTMLInputElement | null>
  value: string
  suffix: string
  isBad: boolean
  isLocked: boolean
  onChange(text: string): void
}

/** The name field. Names are written from left to right in every language. */
function NameField({ input, value, suffix, isBad, isLocked, onChange }: NameFieldProps): ReactElement {
  const t = useFlowMessages(namesMessages)
  return (
    <div className="field name-field" part="field" dir="ltr">
      <input
        ref={input}
        data-first=""
        aria-label={t.label}
        aria-describedby="name-suffix name-status"
        aria-invalid={isBad}
        value={value}
        readOnly={isLocked}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        onChange={(event) => onChange(event.target.value)}
      />
      <span id="name-suffix" className="name-suffix">
        {suffix}
      </span>
    </div>
  )
}

type Lookup = { exact: { registered: boolean } | undefined; isKnown: boolean; isError: boolean }

function availabilityOf(typed: string, { exact, isKnown, isError }: Lookup): Availability {
  if (typed === '') return 'empty'
  if (/[^a-z0-9-]/.test(typed)) return 'characters'
  if (typed.length < minimumNameLength) return 'short'
  if (!isName(typed)) return 'characters'
  if (isError) return 'unknown'
  if (exact !== undefined) return exact.registered ? 'taken' : 'free'
  return isKnown ? 'taken' : 'checking'
}

type NameNotice = { text: string; tone: 'good' | 'bad' | undefined; isNews: boolean }

/** Returns the notice under the field: about the registration if there is one, otherwise about the typed name. */
function nameNotice(
  t: NamesMessages,
  state: RegistrationState,
  availability: Availability,
  { wallet, isSlow }: { wallet: string; isSlow: boolean },
): NameNotice {
  if (state.status === 'signing') {
    return { text: isSlow ? t.slow({ wallet }) : t.approve({ wallet }), tone: undefined, isNews: false }
  }
  if (state.status === 'failed') {
    return { text: state.text, tone: state.calm ? undefined : 'bad', isNews: !state.calm }
  }
  const texts: Readonly<Record<Availability, string>> = {
    empty: t.rule,
    characters: t.characters,
    short: t.short,
    checking: t.checking,
    free: t.free,
    taken: t.taken,
    unknown: t.unknown,
  }
  const isBad = availability === 'characters' || availability === 'taken'
  return {
    text: texts[availability],
    tone: availability === 'free' ? 'good' : isBad ? 'bad' : undefined,
    isNews: false,
  }
}
