import type { Messages } from '../messages/loadFrameMessages.ts'
import type { AddressConfirmation, KeyHolder } from '../worker/keyHolder.ts'
import { drawFailure } from './elements/drawFailure.ts'
import { h } from './elements/h.ts'
import { createButton, drawLayout } from './elements/layout.ts'
import { messageForUser } from './failure.ts'
import type { Screen } from './stage/stage.ts'
import { createScreen, whenDone, type Steps } from './stage/steps.ts'

type NewAddressScreenProps = {
  readonly messages: Messages
  readonly holder: Pick<KeyHolder, 'awaitNewAddress'>
  readonly confirmation: AddressConfirmation
}

/**
 * Waits until the new address of a login has confirmed by a link of the share store that it approves new devices, and shows the
 * two digits that the page of the link asks for [K-11].
 */
export function newAddressScreen(props: NewAddressScreenProps): Screen<'confirmed' | 'cancelled'> {
  return createScreen((steps) => draw(steps, props))
}

function draw(
  steps: Steps<'confirmed' | 'cancelled'>,
  { messages, holder, confirmation }: NewAddressScreenProps,
): void {
  const { emailChange, login, common } = messages
  const cancel = (): void => steps.finish('cancelled')
  drawLayout(steps.root, {
    title: emailChange.confirm,
    content: [
      h('p', { class: 'hint' }, login.deviceHint({ email: confirmation.email })),
      h(
        'div',
        { class: 'status-panel', role: 'status' },
        h('p', { class: 'match' }, confirmation.match),
        h('div', { class: 'spinner', 'aria-hidden': true }),
      ),
    ],
    actions: [createButton({ text: common.cancel, look: 'quiet', press: cancel })],
  })
  whenDone(steps, holder.awaitNewAddress(), {
    done: () => steps.finish('confirmed'),
    failed: (error) =>
      drawFailure(steps.root, messages, {
        title: emailChange.confirm,
        sentence: messageForUser(error, messages),
        leave: cancel,
      }),
  })
}
