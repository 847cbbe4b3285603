import type { AccountState } from '@latchkey/core'
import { isName, shortestName } from '@latchkey/core/money'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type FormEvent, type ReactElement, type RefObject } from 'react'
import { useLatchkey } from '../../../context.ts'
import { suggestionsQuery } from '../../../queries/namesQuery.ts'
import { queryClientOf } from '../../../queries/queryClient.ts'
import { namesPart, type NamesTexts } from '../../../strings/names/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { useFirstField } from '../../money/useFirstField.ts'
import { useDebounced } from '../../useDebounced.ts'
import { useSlow } from '../../useSlow.ts'
import { Suggestions } from './Suggestions.tsx'
import { useRegistration, type Registering } from './useRegistration.ts'

type NameFormProps = { account: AccountState & { status: 'connected' }; suffix: string }

/** After the last key [R9.1.6]. */
const quietMilliseconds = 500

type Standing = 'empty' | 'characters' | 'short' | 'checking' | 'free' | 'taken' | 'unknown'

/** A name to type, whether it is free, others like it, and the way to have it. */
export function NameForm({ account, suffix }: NameFormProps): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(namesPart)
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
  const standing = standingOf(typed, { exact, isKnown: known !== undefined, isError: isError && typed === settled })
  const type = (text: string): void => {
    if (isSigning) return
    forget()
    setTyped(text.trim().toLowerCase())
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isName(typed) && standing !== 'taken') register(typed)
    else input.current?.focus()
  }
  const told = tell(t, state, standing, { wallet, isSlow })
  return (
    <form className="name-form" onSubmit={submit}>
      <NameField
        input={input}
        value={typed}
        suffix={suffix}
        isBad={told.tone === 'bad'}
        isLocked={isSigning}
        onChange={type}
      />
      <p id="name-told" className="name-told" data-tone={told.tone} role={told.isNews ? 'alert' : 'status'}>
        {told.text}
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
      <button
        type="submit"
        className="button"
        part="primary"
        data-primary=""
        aria-disabled={isSigning || !isName(typed) || standing === 'taken'}
      >
        {isSigning ? t.approve(wallet) : t.register}
      </button>
    </form>
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

/** Written from left to right in every language, as names are. */
function NameField({ input, value, suffix, isBad, isLocked, onChange }: NameFieldProps): ReactElement {
  const t = usePart(namesPart)
  return (
    <div className="field name-field" part="field" dir="ltr">
      <input
        ref={input}
        data-first=""
        aria-label={t.label}
        aria-describedby="name-suffix name-told"
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

type Looked = { exact: { registered: boolean } | undefined; isKnown: boolean; isError: boolean }

function standingOf(typed: string, { exact, isKnown, isError }: Looked): Standing {
  if (typed === '') return 'empty'
  if (/[^a-z0-9-]/.test(typed)) return 'characters'
  if (typed.length < shortestName) return 'short'
  if (!isName(typed)) return 'characters'
  if (isError) return 'unknown'
  if (exact !== undefined) return exact.registered ? 'taken' : 'free'
  return isKnown ? 'taken' : 'checking'
}

type Telling = { text: string; tone: 'good' | 'bad' | undefined; isNews: boolean }

/** What is to be said under the field: of the registration where there is one, else of what is typed. */
function tell(
  t: NamesTexts,
  state: Registering,
  standing: Standing,
  { wallet, isSlow }: { wallet: string; isSlow: boolean },
): Telling {
  if (state.status === 'signing') {
    return { text: isSlow ? t.slow(wallet) : t.approve(wallet), tone: undefined, isNews: false }
  }
  if (state.status === 'failed') {
    return { text: state.text, tone: state.calm ? undefined : 'bad', isNews: !state.calm }
  }
  const texts: Readonly<Record<Standing, string>> = {
    empty: t.rule,
    characters: t.characters,
    short: t.short,
    checking: t.checking,
    free: t.free,
    taken: t.taken,
    unknown: t.unknown,
  }
  const isBad = standing === 'characters' || standing === 'taken'
  return { text: texts[standing], tone: standing === 'free' ? 'good' : isBad ? 'bad' : undefined, isNews: false }
}
