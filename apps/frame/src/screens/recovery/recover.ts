import type { Words } from '../../words/words.ts'
import type { HolderUser, KeyHolder, ShownWay } from '../../worker/keyHolder.ts'
import type { Child } from '../dom.ts'
import { h } from '../dom.ts'
import { failureOf, sentenceOf } from '../failure.ts'
import { button, labelledField, layOut } from '../layout.ts'
import { drawWaiting, problemLine } from '../standing.ts'
import type { Screen } from '../stage.ts'
import { afterwards, screenOf, type Steps } from '../steps.ts'
import type { Passkeys } from './passkeys.ts'

export type RecoverParts = {
  readonly words: Words
  /** What may open the wallet here. */
  readonly ways: readonly ShownWay[]
  readonly holder: Pick<KeyHolder, 'recoverBy' | 'passkeyAsk'>
  readonly passkeys: Passkeys
}

/** Opens the wallet on a device that is new, by what the visitor knows or has. */
export function recoverScreen(parts: RecoverParts): Screen<HolderUser> {
  return screenOf((steps) => drawChoice(steps, parts))
}

function drawChoice(steps: Steps<HolderUser>, parts: RecoverParts, problem?: string): void {
  const { words, ways } = parts
  const { recover } = words
  const passkeyIds = ways.filter(({ method }) => method === 'passkey').map(({ id }) => id)
  const byPassword = ways.some(({ method }) => method === 'password')
  const password = labelledField(recover.password, {
    id: 'password',
    type: 'password',
    autocomplete: 'current-password',
    'aria-describedby': 'problem',
  })
  const { line, say } = problemLine('problem')
  const passkeyButton = (look: 'primary' | undefined) =>
    button({ text: recover.usePasskey, look, press: () => openByPasskey(steps, parts, passkeyIds) })
  const submit = () => {
    if (password.input.value !== '') return openByPassword(steps, parts, password.input.value)
    say(recover.empty)
    password.input.focus()
  }
  const actions: Child[] = [
    byPassword ? button({ text: recover.open, look: 'primary' }) : undefined,
    passkeyIds.length > 0 ? passkeyButton(byPassword ? undefined : 'primary') : undefined,
  ]
  layOut(steps.root, {
    title: recover.title,
    content: [
      h('p', { class: 'hint' }, byPassword || passkeyIds.length > 0 ? recover.hint : recover.none),
      byPassword ? password.box : undefined,
      line,
    ],
    actions: actions.some((action) => action !== undefined) ? actions : [],
    ...(byPassword && { submit }),
  })
  say(problem)
  if (!byPassword || problem === undefined) return
  password.input.setAttribute('aria-invalid', 'true')
  password.input.focus()
}

function openByPassword(steps: Steps<HolderUser>, parts: RecoverParts, password: string): void {
  const { words, holder } = parts
  drawWaiting(steps.root, { title: words.recover.working, hint: words.recover.workingHint })
  afterwards(steps, holder.recoverBy({ method: 'password', password }), {
    done: steps.finish,
    failed: (error) => drawChoice(steps, parts, problemOf(error, words, words.recover.wrong)),
  })
}

function openByPasskey(steps: Steps<HolderUser>, parts: RecoverParts, ids: readonly string[]): void {
  const { words, holder } = parts
  drawWaiting(steps.root, { title: words.recover.working, hint: words.ways.creating })
  afterwards(steps, askPasskey(steps, parts, ids), {
    done: (outcome) => {
      if (typeof outcome === 'string') return drawChoice(steps, parts, outcome)
      drawWaiting(steps.root, { title: words.recover.working })
      afterwards(steps, holder.recoverBy({ method: 'passkey', ...outcome }), {
        done: steps.finish,
        failed: (error) => drawChoice(steps, parts, problemOf(error, words, words.recover.wrongPasskey)),
      })
    },
    failed: (error) => drawChoice(steps, parts, sentenceOf(error, words)),
  })
}

/** @returns a sentence where there is no passkey to go on with */
async function askPasskey(
  { signal }: Steps<HolderUser>,
  { words, holder, passkeys }: RecoverParts,
  ids: readonly string[],
): Promise<{ id: string; output: Uint8Array } | string> {
  const outcome = await passkeys.use({ ...(await holder.passkeyAsk()), ids, signal })
  if (outcome.kind !== 'used') return outcome.kind === 'cancelled' ? words.recover.cancelled : words.recover.unable
  const { id, output } = outcome.passkey
  return { id, output }
}

/** What was opened with another key tells no more than that; all else says itself. */
function problemOf(error: unknown, words: Words, wrong: string): string {
  return failureOf(error).code === 'custody/unreadable' ? wrong : sentenceOf(error, words)
}
