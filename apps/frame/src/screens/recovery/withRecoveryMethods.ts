import { isLatchkeyError } from '@latchkey/protocol'
import type { Messages } from '../../messages/loadFrameMessages.ts'
import type { KeyHolder, RecoveryMethodInfo, RecoveryCredential } from '../../worker/keyHolder.ts'
import { h } from '../elements/h.ts'
import { parseFailure, messageForUser } from '../failure.ts'
import { createButton, labelledField, drawLayout } from '../elements/layout.ts'
import { drawWaiting, problemLine } from '../elements/drawFailure.ts'
import { whenDone, type Steps } from '../stage/steps.ts'
import type { Passkeys } from './passkeys.ts'

export type RecoveryMethodsProps = {
  readonly messages: Messages
  readonly holder: Pick<KeyHolder, 'recoveryMethods' | 'createPasskeyRequest'>
  readonly passkeys: Passkeys
}

/** An action that needs the recovery key, and its continuations. */
export type RecoveryTask = {
  act(credentials: readonly RecoveryCredential[]): Promise<void>
  /** Acts without the passkeys that the user doesn't have, and removes them. Omitted if the action can't. */
  actWithoutPasskeys?(credentials: readonly RecoveryCredential[]): Promise<void>
  done(): void
  failed(error: unknown): void
  /** The user cancelled. */
  leave(): void
}

/**
 * Runs an action that needs the recovery key. If only the user can unlock it, asks for each remaining password or
 * passkey once.
 */
export function withRecoveryMethods(
  steps: Pick<Steps<never>, 'root' | 'signal'>,
  props: RecoveryMethodsProps,
  task: RecoveryTask,
  credentials: readonly RecoveryCredential[] = [],
): void {
  const { messages } = props
  drawWaiting(steps.root, {
    title: messages.recoveryMethods.locking,
    ...(credentials.length > 0 && { hint: messages.recover.workingHint }),
  })
  const again = (credential: RecoveryCredential): void =>
    withRecoveryMethods(steps, props, task, [...credentials, credential])
  whenDone(steps, task.act(credentials), {
    done: task.done,
    failed(error) {
      const last = credentials.at(-1)
      if (parseFailure(error).code === 'custody/unreadable' && last !== undefined) {
        const wrong = last.method === 'password' ? messages.recover.wrong : messages.recover.wrongPasskey
        const before = credentials.slice(0, -1)
        const retry = (response: RecoveryCredential): void =>
          withRecoveryMethods(steps, props, task, [...before, response])
        return showRecoveryMethod(steps, props, last.method, {
          entered: retry,
          leave: task.leave,
          problem: wrong,
          before,
        })
      }
      const method = requiredMethod(error)
      if (method === undefined) return task.failed(error)
      const { actWithoutPasskeys } = task
      const drop = (): void =>
        withRecoveryMethods(steps, props, { ...task, act: actWithoutPasskeys ?? task.act }, credentials)
      const offered = method === 'passkey' && actWithoutPasskeys !== undefined && { drop }
      showRecoveryMethod(steps, props, method, { entered: again, leave: task.leave, before: credentials, ...offered })
    },
  })
}

function requiredMethod(error: unknown): RecoveryCredential['method'] | undefined {
  if (!isLatchkeyError(error, 'custody/recovery-method-needed')) return undefined
  const { method } = error.context
  return method === 'password' || method === 'passkey' ? method : undefined
}

type CheckedRequest = {
  entered(credential: RecoveryCredential): void
  leave(): void
  /** Removes the passkeys that the user doesn't have. */
  drop?(): void
  /** Credentials that were given already. */
  readonly before: readonly RecoveryCredential[]
  readonly problem?: string
}

function showRecoveryMethod(
  steps: Pick<Steps<never>, 'root' | 'signal'>,
  props: RecoveryMethodsProps,
  method: RecoveryCredential['method'],
  requested: CheckedRequest,
): void {
  const { messages } = props
  const { entered, leave, drop, before, problem } = requested
  const { line, setText } = problemLine('problem')
  const attributes = {
    id: 'password',
    type: 'password',
    autocomplete: 'current-password',
    'aria-describedby': 'problem',
  }
  const password = labelledField(messages.recover.password, attributes)
  const byPassword = (): void => {
    if (password.input.value !== '') return entered({ method: 'password', password: password.input.value })
    setText(messages.recover.empty)
    password.input.focus()
  }
  const byPasskey = (): void => {
    drawWaiting(steps.root, { title: messages.recoveryMethods.creating })
    whenDone(steps, requestPasskey(props, steps.signal, before), {
      done: (result) =>
        typeof result === 'string'
          ? showRecoveryMethod(steps, props, method, { ...requested, problem: result })
          : entered(result),
      failed: (error) =>
        showRecoveryMethod(steps, props, method, { ...requested, problem: messageForUser(error, messages) }),
    })
  }
  const isPassword = method === 'password'
  drawLayout(steps.root, {
    title: messages.recoveryMethods.confirmTitle,
    content: [
      h('p', { class: 'hint' }, messages.recoveryMethods.confirmHint),
      isPassword ? password.box : undefined,
      line,
    ],
    actions: [
      isPassword
        ? createButton({ text: messages.common.next, look: 'primary' })
        : createButton({ text: messages.recover.usePasskey, look: 'primary', press: byPasskey }),
      drop && createButton({ text: messages.recoveryMethods.dropPasskeys, look: 'danger', guarded: true, press: drop }),
      createButton({ text: messages.common.cancel, look: 'quiet', press: leave }),
    ],
    ...(isPassword && { submit: byPassword }),
  })
  setText(problem)
}

/** @returns a message if the ceremony failed */
async function requestPasskey(
  { messages, holder, passkeys }: RecoveryMethodsProps,
  signal: AbortSignal,
  before: readonly RecoveryCredential[],
): Promise<RecoveryCredential | string> {
  const gone = before.flatMap((choice) => (choice.method === 'passkey' ? [choice.id] : []))
  const ids = (await holder.recoveryMethods()).filter(isPasskey).map(({ id }) => id)
  const left = ids.filter((id) => !gone.includes(id))
  const outcome = await passkeys.use({ ...(await holder.createPasskeyRequest()), ids: left, signal })
  if (outcome.kind !== 'used')
    return outcome.kind === 'cancelled' ? messages.recover.cancelled : messages.recover.unable
  const { id, output } = outcome.passkey
  return { method: 'passkey', id, output }
}

const isPasskey = ({ method }: RecoveryMethodInfo): boolean => method === 'passkey'
