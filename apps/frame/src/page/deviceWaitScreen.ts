import { drawFailure } from '../screens/elements/drawFailure.ts'
import { formatTime } from '../screens/elements/formatDate.ts'
import { h } from '../screens/elements/h.ts'
import { button, drawLayout } from '../screens/elements/layout.ts'
import { messageForUser } from '../screens/failure.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { createScreen, whenDone, type Steps } from '../screens/stage/steps.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import type { DeviceWait, KeyHolder, LoginResult } from '../worker/keyHolder.ts'

type DeviceWaitScreenProps = {
  readonly messages: Messages
  readonly holder: Pick<KeyHolder, 'awaitApproval'>
  readonly wait: DeviceWait
}

/** Waits until a known device has approved this one, and shows the two digits that it asks for. */
export function deviceWaitScreen(props: DeviceWaitScreenProps): Screen<LoginResult | undefined> {
  return createScreen((steps) => draw(steps, props))
}

function draw(steps: Steps<LoginResult | undefined>, { messages, holder, wait }: DeviceWaitScreenProps): void {
  const { login, common, locale } = messages
  drawLayout(steps.root, {
    title: login.knownDeviceTitle,
    content: [
      h('p', { class: 'hint' }, login.knownDeviceHint),
      h(
        'div',
        { class: 'standing', role: 'status' },
        h('p', { class: 'match' }, wait.match),
        h('div', { class: 'spinner', 'aria-hidden': true }),
      ),
      h('p', { class: 'hint' }, login.knownDeviceWait({ time: formatTime(wait.opensAt, locale) })),
    ],
    actions: [button({ text: common.cancel, look: 'quiet', press: () => steps.finish(undefined) })],
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
