import { drawFailure, problemLine } from '../screens/elements/drawFailure.ts'
import { formatTime } from '../screens/elements/formatDate.ts'
import { h } from '../screens/elements/h.ts'
import { createButton, drawLayout } from '../screens/elements/layout.ts'
import { messageForUser } from '../screens/failure.ts'
import type { Passkeys } from '../screens/recovery/passkeys.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { createScreen, whenDone, type Steps } from '../screens/stage/steps.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import type { DeviceWait, KeyHolder, LoginResult } from '../worker/keyHolder.ts'

type DeviceWaitScreenProps = {
  readonly messages: Messages
  readonly holder: Pick<KeyHolder, 'awaitApproval' | 'createDevicePasskeyRequest' | 'approveDeviceByPasskey'>
  readonly passkeys: Passkeys
  readonly wait: DeviceWait
}

/** Waits until a known device has approved this one by the two digits shown here, or the user has used a passkey. */
export function deviceWaitScreen(props: DeviceWaitScreenProps): Screen<LoginResult | undefined> {
  return createScreen((steps) => draw(steps, props))
}

function draw(steps: Steps<LoginResult | undefined>, props: DeviceWaitScreenProps): void {
  const { messages, holder, wait } = props
  const { login, recover, common, locale } = messages
  const { line, setText } = problemLine('problem')
  const passkeyButton = createButton({
    text: recover.usePasskey,
    look: 'primary',
    press() {
      setText(undefined)
      passkeyButton.disabled = true
      whenDone(steps, approveByPasskey(props, steps.signal), {
        done(problem) {
          passkeyButton.disabled = problem === undefined
          setText(problem)
        },
        failed(error) {
          passkeyButton.disabled = false
          setText(messageForUser(error, messages))
        },
      })
    },
  })
  drawLayout(steps.root, {
    title: login.knownDeviceTitle,
    content: [
      h('p', { class: 'hint' }, login.knownDeviceHint),
      h(
        'div',
        { class: 'status-panel', role: 'status' },
        h('p', { class: 'match' }, wait.match),
        h('div', { class: 'spinner', 'aria-hidden': true }),
      ),
      wait.hasPasskey === true ? h('p', { class: 'hint' }, login.passkeyHint) : undefined,
      line,
      h('p', { class: 'hint' }, login.knownDeviceWait({ time: formatTime(wait.opensAt, locale) })),
    ],
    actions: [
      wait.hasPasskey === true ? passkeyButton : undefined,
      createButton({ text: common.cancel, look: 'quiet', press: () => steps.finish(undefined) }),
    ],
  })
  whenDone(steps, holder.awaitApproval(), {
    done: steps.finish,
    failed: (error) =>
      drawFailure(steps.root, messages, {
        title: login.knownDeviceTitle,
        sentence: messageForUser(error, messages),
        leave: () => steps.finish(undefined),
      }),
  })
}

/**
 * The user may choose any passkey of this site: the share store does not reveal ids to a waiting device. @returns the
 * problem, if there is one
 */
async function approveByPasskey(
  { messages: { recover }, holder, passkeys }: DeviceWaitScreenProps,
  signal: AbortSignal,
): Promise<string | undefined> {
  const outcome = await passkeys.use({ ...(await holder.createDevicePasskeyRequest()), ids: [], signal })
  if (outcome.kind !== 'used') return outcome.kind === 'cancelled' ? recover.cancelled : recover.unable
  const { proof, output } = outcome.passkey
  await holder.approveDeviceByPasskey({ proof, output })
  return undefined
}
