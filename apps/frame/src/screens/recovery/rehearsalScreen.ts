import type { Messages } from '../../messages/loadFrameMessages.ts'
import type { KeyHolder, RecoveryCredential, RecoveryMethodInfo } from '../../worker/keyHolder.ts'
import { drawWaiting, problemLine } from '../elements/drawFailure.ts'
import { h } from '../elements/h.ts'
import { createButton, drawLayout, labelledField } from '../elements/layout.ts'
import { messageForUser, parseFailure } from '../failure.ts'
import type { Screen } from '../stage/stage.ts'
import { createScreen, whenDone, type Steps } from '../stage/steps.ts'
import { methodTexts } from './methodTexts.ts'
import type { Passkeys } from './passkeys.ts'

/** The result of a rehearsal: the recovery works, it failed for a reason, or the user left. */
export type RehearsalResult =
  | { readonly kind: 'tested' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'left' }

export type RehearsalScreenProps = {
  readonly messages: Messages
  readonly holder: Pick<KeyHolder, 'rehearseRecovery' | 'createPasskeyRequest'>
  readonly passkeys: Passkeys
  readonly method: RecoveryMethodInfo
  /** The reason why the last rehearsal failed. */
  readonly problem?: string
}

/** Asks for the password or passkey and rehearses the recovery. A guarded screen: a page can't start one unseen. */
export function rehearsalScreen(props: RehearsalScreenProps): Screen<RehearsalResult> {
  return createScreen<RehearsalResult>((steps) => drawStart(steps, props), 'steps')
}

function drawStart(steps: Steps<RehearsalResult>, props: RehearsalScreenProps): void {
  const { messages, method, problem } = props
  const { recoveryMethods: texts, recover, common } = messages
  const { line, setText } = problemLine('problem')
  const password = labelledField(recover.password, {
    id: 'password',
    type: 'password',
    autocomplete: 'current-password',
    'aria-describedby': 'problem',
  })
  const submit = (): void => {
    const { value } = password.input
    if (value !== '') return run(steps, props, async () => ({ method: 'password', password: value }))
    setText(recover.empty)
    password.input.focus()
  }
  const isPassword = method.method === 'password'
  const start = (): void => run(steps, props, () => requestCredential(steps, props))
  drawLayout(steps.root, {
    title: texts.testTitle,
    content: [
      h('p', { class: 'name' }, methodTexts(method, messages).name),
      h('p', { class: 'hint' }, texts.testHint),
      isPassword ? password.box : undefined,
      line,
    ],
    actions: [
      createButton({ text: texts.testStart, look: 'primary', guarded: true, ...(!isPassword && { press: start }) }),
      createButton({ text: common.cancel, look: 'quiet', press: () => steps.finish({ kind: 'left' }) }),
    ],
    ...(isPassword && { submit }),
  })
  setText(problem)
}

function run(
  steps: Steps<RehearsalResult>,
  props: RehearsalScreenProps,
  getCredential: () => Promise<RecoveryCredential | string | undefined>,
): void {
  const { messages, holder, method } = props
  const { recoveryMethods: texts, recover } = messages
  const hint = { auto: undefined, password: recover.workingHint, passkey: texts.creating }[method.method]
  drawWaiting(steps.root, { title: texts.testing, ...(hint !== undefined && { hint }) })
  const rehearsed = getCredential().then(async (credential): Promise<RehearsalResult> => {
    if (typeof credential === 'string') return { kind: 'failed', reason: credential }
    await holder.rehearseRecovery(method.id, credential)
    return { kind: 'tested' }
  })
  whenDone(steps, rehearsed, {
    done: steps.finish,
    failed: (error) => steps.finish({ kind: 'failed', reason: reasonOf(error, props) }),
  })
}

/** @returns the credential, `undefined` for the automatic method, or a message if the ceremony failed */
async function requestCredential(
  { signal }: Steps<RehearsalResult>,
  { messages, holder, passkeys, method }: RehearsalScreenProps,
): Promise<RecoveryCredential | string | undefined> {
  if (method.method === 'auto') return undefined
  const outcome = await passkeys.use({ ...(await holder.createPasskeyRequest()), ids: [method.id], signal })
  if (outcome.kind !== 'used')
    return outcome.kind === 'cancelled' ? messages.recover.cancelled : messages.recover.unable
  const { id, output } = outcome.passkey
  return { method: 'passkey', id, output }
}

function reasonOf(error: unknown, { messages, method }: RehearsalScreenProps): string {
  const { recoveryMethods: texts, recover } = messages
  const { code } = parseFailure(error)
  if (code === 'custody/mismatch') return texts.testMismatch
  if (code === 'custody/invalid-share') return texts.testNone
  if (code !== 'custody/unreadable') return messageForUser(error, messages)
  return method.method === 'password'
    ? recover.wrong
    : texts.testUnreadable({ method: methodTexts(method, messages).name })
}
