import { h } from '../screens/dom.ts'
import { sentenceOf } from '../screens/failure.ts'
import { layOut } from '../screens/layout.ts'
import { drawFailure } from '../screens/standing.ts'
import type { Screen } from '../screens/stage.ts'
import { afterwards, screenOf, type Steps } from '../screens/steps.ts'
import type { Words } from '../words/words.ts'
import type { Entered, KeyHolder } from '../worker/keyHolder.ts'

type Parts = {
  readonly words: Words
  readonly match: string
  readonly email: string
  readonly holder: Pick<KeyHolder, 'awaitApproval'>
}

/** Shows the digits that the page behind the mailed link asks for; it goes on by itself once they were typed there. */
export function deviceScreen(parts: Parts): Screen<Entered | undefined> {
  return screenOf((steps) => draw(steps, parts))
}

function draw(steps: Steps<Entered | undefined>, parts: Parts): void {
  const { words, match, email, holder } = parts
  const { login } = words
  layOut(steps.root, {
    title: login.deviceTitle,
    content: [
      h('p', { class: 'hint' }, login.deviceHint(email)),
      h('dl', { class: 'facts' }, h('div', {}, h('dt', {}, login.match), h('dd', { class: 'figures' }, match))),
    ],
  })
  afterwards(steps, holder.awaitApproval(), {
    done: steps.finish,
    failed: (error) =>
      drawFailure(steps.root, words, {
        title: login.deviceTitle,
        sentence: sentenceOf(error, words),
        retry: () => draw(steps, parts),
        leave: () => steps.finish(undefined),
      }),
  })
}
