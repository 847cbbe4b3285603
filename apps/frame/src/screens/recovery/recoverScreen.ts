import type { Messages } from '../../messages/loadFrameMessages.ts'
import type { HolderUser, KeyHolder, RecoveryMethodInfo } from '../../worker/keyHolder.ts'
import type { Child } from '../elements/h.ts'
import { h } from '../elements/h.ts'
import { parseFailure, messageForUser } from '../failure.ts'
import { createButton, labelledField, drawLayout } from '../elements/layout.ts'
import { drawWaiting, problemLine } from '../elements/drawFailure.ts'
import type { Screen } from '../stage/stage.ts'
import { whenDone, createScreen, type Steps } from '../stage/steps.ts'
import type { Passkeys } from './passkeys.ts'

export type RecoverScreenProps = {
  readonly messages: Messages
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
  const { messages, methods } = props
  const { recover } = messages
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
    createButton({ text: recover.usePasskey, look, press: () => openByPasskey(steps, props, passkeyIds) })
  const submit = () => {
    if (password.input.value !== '') return openByPassword(steps, props, password.input.value)
    setText(recover.empty)
    password.input.focus()
  }
  const actions: Child[] = [
    byPassword ? createButton({ text: recover.open, look: 'primary' }) : undefined,
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
  const { messages, holder } = props
  drawWaiting(steps.root, { title: messages.recover.working, hint: messages.recover.workingHint })
  whenDone(steps, holder.recoverWith({ method: 'password', password }), {
    done: steps.finish,
    failed: (error) => drawChoice(steps, props, recoveryProblem(error, messages, messages.recover.wrong)),
  })
}

function openByPasskey(steps: Steps<HolderUser>, props: RecoverScreenProps, ids: readonly string[]): void {
  const { messages, holder } = props
  drawWaiting(steps.root, { title: messages.recover.working, hint: messages.recoveryMethods.creating })
  whenDone(steps, requestPasskey(steps, props, ids), {
    done: (outcome) => {
      if (typeof outcome === 'string') return drawChoice(steps, props, outcome)
      drawWaiting(steps.root, { title: messages.recover.working })
      whenDone(steps, holder.recoverWith({ method: 'passkey', ...outcome }), {
        done: steps.finish,
        failed: (error) => drawChoice(steps, props, recoveryProblem(error, messages, messages.recover.wrongPasskey)),
      })
    },
    failed: (error) => drawChoice(steps, props, messageForUser(error, messages)),
  })
}

/** @returns a message if there is no passkey to continue with */
async function requestPasskey(
  { signal }: Steps<HolderUser>,
  { messages, holder, passkeys }: RecoverScreenProps,
  ids: readonly string[],
): Promise<{ id: string; output: Uint8Array } | string> {
  const outcome = await passkeys.use({ ...(await holder.createPasskeyRequest()), ids, signal })
  if (outcome.kind !== 'used')
    return outcome.kind === 'cancelled' ? messages.recover.cancelled : messages.recover.unable
  const { id, output } = outcome.passkey
  return { id, output }
}

/** A wrong key yields one message. Other errors describe themselves. */
function recoveryProblem(error: unknown, messages: Messages, wrong: string): string {
  return parseFailure(error).code === 'custody/unreadable' ? wrong : messageForUser(error, messages)
}
