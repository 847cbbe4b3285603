import type { Words } from '../../messages/loadWords.ts'
import type { HolderUser, KeyHolder, RecoveryMethodInfo } from '../../worker/keyHolder.ts'
import type { Child } from '../elements/h.ts'
import { h } from '../elements/h.ts'
import { parseFailure, messageForUser } from '../failure.ts'
import { button, labelledField, drawLayout } from '../elements/layout.ts'
import { drawWaiting, problemLine } from '../elements/drawFailure.ts'
import type { Screen } from '../stage/stage.ts'
import { whenDone, createScreen, type Steps } from '../stage/steps.ts'
import type { Passkeys } from './passkeys.ts'

export type RecoverScreenProps = {
  readonly words: Words
  /** Recovery methods that may open the wallet here. */
  readonly methods: readonly RecoveryMethodInfo[]
  readonly holder: Pick<KeyHolder, 'recoverWith' | 'createPasskeyRequest'>
  readonly passkeys: Passkeys
}

/** Opens the wallet on a new device with a password or passkey. */
export function recoverScreen(props: RecoverScreenProps): Screen<HolderUser> {
  return createScreen((steps) => drawChoice(steps, props))
}

function drawChoice(steps: Steps<HolderUser>, props: RecoverScreenProps, problem?: string): void {
  const { words, methods } = props
  const { recover } = words
  const passkeyIds = methods.filter(({ method }) => method === 'passkey').map(({ id }) => id)
  const byPassword = methods.some(({ method }) => method === 'password')
  const password = labelledField(recover.password, {
    id: 'password',
    type: 'password',
    autocomplete: 'current-password',
    'aria-describedby': 'problem',
  })
  const { line, setText } = problemLine('problem')
  const passkeyButton = (look: 'primary' | undefined) =>
    button({ text: recover.usePasskey, look, press: () => openByPasskey(steps, props, passkeyIds) })
  const submit = () => {
    if (password.input.value !== '') return openByPassword(steps, props, password.input.value)
    setText(recover.empty)
    password.input.focus()
  }
  const actions: Child[] = [
    byPassword ? button({ text: recover.open, look: 'primary' }) : undefined,
    passkeyIds.length > 0 ? passkeyButton(byPassword ? undefined : 'primary') : undefined,
  ]
  drawLayout(steps.root, {
    title: recover.title,
    content: [
      h('p', { class: 'hint' }, byPassword || passkeyIds.length > 0 ? recover.hint : recover.none),
      byPassword ? password.box : undefined,
      line,
    ],
    actions: actions.some((action) => action !== undefined) ? actions : [],
    ...(byPassword && { submit }),
  })
  setText(problem)
  if (!byPassword || problem === undefined) return
  password.input.setAttribute('aria-invalid', 'true')
  password.input.focus()
}

function openByPassword(steps: Steps<HolderUser>, props: RecoverScreenProps, password: string): void {
  const { words, holder } = props
  drawWaiting(steps.root, { title: words.recover.working, hint: words.recover.workingHint })
  whenDone(steps, holder.recoverWith({ method: 'password', password }), {
    done: steps.finish,
    failed: (error) => drawChoice(steps, props, problemOf(error, words, words.recover.wrong)),
  })
}

function openByPasskey(steps: Steps<HolderUser>, props: RecoverScreenProps, ids: readonly string[]): void {
  const { words, holder } = props
  drawWaiting(steps.root, { title: words.recover.working, hint: words.recoveryMethods.creating })
  whenDone(steps, askPasskey(steps, props, ids), {
    done: (outcome) => {
      if (typeof outcome === 'string') return drawChoice(steps, props, outcome)
      drawWaiting(steps.root, { title: words.recover.working })
      whenDone(steps, holder.recoverWith({ method: 'passkey', ...outcome }), {
        done: steps.finish,
        failed: (error) => drawChoice(steps, props, problemOf(error, words, words.recover.wrongPasskey)),
      })
    },
    failed: (error) => drawChoice(steps, props, messageForUser(error, words)),
  })
}

/** @returns a message if there is no passkey to continue with */
async function askPasskey(
  { signal }: Steps<HolderUser>,
  { words, holder, passkeys }: RecoverScreenProps,
  ids: readonly string[],
): Promise<{ id: string; output: Uint8Array } | string> {
  const outcome = await passkeys.use({ ...(await holder.createPasskeyRequest()), ids, signal })
  if (outcome.kind !== 'used') return outcome.kind === 'cancelled' ? words.recover.cancelled : words.recover.unable
  const { id, output } = outcome.passkey
  return { id, output }
}

/** A wrong key yields one message. Other errors describe themselves. */
function problemOf(error: unknown, words: Words, wrong: string): string {
  return parseFailure(error).code === 'custody/unreadable' ? wrong : messageForUser(error, words)
}
