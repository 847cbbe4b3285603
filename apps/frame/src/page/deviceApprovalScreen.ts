import { h } from '../screens/elements/h.ts'
import { messageForUser } from '../screens/failure.ts'
import { drawLayout } from '../screens/elements/layout.ts'
import { drawFailure } from '../screens/elements/drawFailure.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { whenDone, createScreen, type Steps } from '../screens/stage/steps.ts'
import type { Words } from '../messages/loadWords.ts'
import type { LoginResult, KeyHolder } from '../worker/keyHolder.ts'

type DeviceApprovalScreenProps = {
  readonly words: Words
  readonly match: string
  readonly email: string
  readonly holder: Pick<KeyHolder, 'awaitApproval'>
}

/** Shows the confirmation digits that the mailed link's page asks for. Continues once the link was approved. */
export function deviceApprovalScreen(props: DeviceApprovalScreenProps): Screen<LoginResult | undefined> {
  return createScreen((steps) => draw(steps, props))
}

function draw(steps: Steps<LoginResult | undefined>, props: DeviceApprovalScreenProps): void {
  const { words, match, email, holder } = props
  const { login } = words
  drawLayout(steps.root, {
    title: login.deviceTitle,
    content: [
      h('p', { class: 'hint' }, login.deviceHint({ email })),
      h('dl', { class: 'facts' }, h('div', {}, h('dt', {}, login.match), h('dd', { class: 'figures' }, match))),
    ],
  })
  whenDone(steps, holder.awaitApproval(), {
    done: steps.finish,
    failed: (error) =>
      drawFailure(steps.root, words, {
        title: login.deviceTitle,
        sentence: messageForUser(error, words),
        retry: () => draw(steps, props),
        leave: () => steps.finish(undefined),
      }),
  })
}
